import HTTP
import HTTPServer
import TestTools
import Testing

@testable import Apps

/// The same parameters in whichever way an app sends them.
struct ParametersTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    @Test(arguments: [
        ("a=1&b=x%20y", #"{"a": "1", "b": "x y"}"#),
        ("a[]=1&a[]=2", #"{"a": ["1", "2"]}"#),
        ("a[0]=1&a[1]=2", #"{"a": ["1", "2"]}"#),
        ("a[b]=1&a[c]=2", #"{"a": {"b": "1", "c": "2"}}"#),
        ("a[][b]=1&a[][c]=2&a[][b]=3", #"{"a": [{"b": "1", "c": "2"}, {"b": "3"}]}"#),
        ("a[b][]=1&a[b][]=2", #"{"a": {"b": ["1", "2"]}}"#),
        ("a=1&a[]=2", #"{"a": ["2"]}"#),
        ("a[b=1", #"{"a[b": "1"}"#),
        ("a[b][c][d][e]=1", "{}"),
        ("", "{}"),
    ])
    func `a form is read as Rails reads it`(form: String, members: String) throws {
        let parameters = Parameters(try #require(FormFields(form)))

        #expect(JSONValue.object(parameters.members) == (try json(members)))
        #expect(parameters.repeated.isEmpty)
    }

    @Test func `the first of repeated names counts, and that it came again is known`() throws {
        let parameters = Parameters(try #require(FormFields("code=a&code=b&c=1")))

        #expect(parameters.text("code") == "a")
        #expect(parameters.repeated == ["code"])
    }

    @Test func `numbers and truth values are texts, and objects and lists are none`() throws {
        let members = try #require(
            try json(#"{"a": 1, "b": true, "c": 1.5, "d": {"e": 1}, "f": ["g"], "h": null, "i": ""}"#).object)
        let parameters = Parameters(members)

        #expect(
            ["a", "b", "c", "d", "f", "h", "i", "z"].map(parameters.text) == [
                "1", "true", "1.5", nil, nil, nil, "", nil,
            ])
        #expect(parameters.list("f") == ["g"] && parameters.list("a") == ["1"] && parameters.list("d") == [])
        #expect(parameters.flag("b") == true && parameters.flag("i") == nil && parameters.flag("h") == nil)
        #expect(parameters.number("a") == 1 && parameters.number("c") == nil)
    }

    @Test(arguments: ["0", "f", "false", "off", "FALSE"])
    func `a flag is false by few words`(word: String) {
        #expect(Parameters(["a": word] as FormFields).flag("a") == false)
        #expect(Parameters(["a": "x\(word)"] as FormFields).flag("a") == true)
    }

    /// Brackets, separators and letters in any order.
    @Test func `any names are read without end of room or time`() {
        var random = SplitMix64(seed: 7)
        let pieces = ["[", "]", "[]", "a", "b", "0", "é", "", "[a]", "[0]", "]["]
        for _ in 0..<300 {
            var fields = FormFields()
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                let name = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }
                fields.add(name.joined(), "v")
            }

            let parameters = Parameters(fields)

            #expect(JSONValue.object(parameters.members).serialized.count < 10_000)
        }
    }

    @Test func `a thousand pairs of one list or of many lists are read`() {
        for name in ["a[]", "a[][b]", "a[b][]", "a[b][c]"] {
            var fields = FormFields()
            for number in 0..<Parameters.mostPairs { fields.add(name, "\(number)") }

            #expect(JSONValue.object(Parameters(fields).members).serialized.count < 40_000)
        }
    }
}
