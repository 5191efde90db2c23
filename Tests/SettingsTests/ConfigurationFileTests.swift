import Testing

@testable import Settings

struct ConfigurationFileTests {
    @Test func `a file has comments, names and values`() {
        let text = """
            # A comment

            listen = 127.0.0.1:8080
              spaced=  two words  \t
            commented = value # why
            address = https://pics.example/#top
            quoted = " a # \\"b\\" \\\\ \\n"  # why
            empty =\r
            none = # nothing
            """

        let (lines, mistakes) = ConfigurationFile.parse(text.utf8)

        #expect(mistakes.isEmpty)
        #expect(
            lines.map { "\($0.number) \($0.name)=\($0.value)|" } == [
                "3 listen=127.0.0.1:8080|", "4 spaced=two words|", "5 commented=value|",
                "6 address=https://pics.example/#top|", "7 quoted= a # \"b\" \\ \n|", "8 empty=|", "9 none=|",
            ])
    }

    @Test func `every wrong line is named`() {
        let bytes =
            Array(
                """
                listen
                = 3
                Listen = 3
                a = "no end
                b = "end" more
                c = "\\x"
                d = 1
                d = 2

                """.utf8) + [0xFF]

        let (lines, mistakes) = ConfigurationFile.parse(bytes)

        #expect(lines == [ConfigurationFile.Line(number: 7, name: "d", value: "1")])
        #expect(mistakes.map(\.number) == [1, 2, 3, 4, 5, 6, 8, 9])
        #expect(mistakes[6].text == "d is already set in line 7")
        #expect(mistakes[7].text == "this line is not UTF-8")
    }

    @Test(arguments: ["", "plain", "a # b", "#", "\"", " a ", "back\\slash", "two\nlines", "tab\t"])
    func `a value survives being written and read`(value: String) {
        let line = "name = \(ConfigurationFile.quotedIfNeeded(value))"

        #expect(ConfigurationFile.parse(line.utf8).lines.first?.value == value)
    }
}
