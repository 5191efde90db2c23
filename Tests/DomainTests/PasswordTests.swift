import Domain
import Testing

struct PasswordTests {
    @Test(arguments: [
        ("123456789", false), ("1234567890", true), ("ひみつのことばです", false), ("ひみつのことばですよ", true),
        ("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", false), ("          ", true),
        (String(repeating: "a", count: 1024), true),
    ])
    func `a password is as long as its code points, and may have any`(text: String, isLongEnough: Bool) throws {
        #expect(try #require(Password(text)).isLongEnough == isLongEnough)
    }

    @Test(arguments: ["", String(repeating: "a", count: 1025), String(repeating: "あ", count: 342)])
    func `nothing, and more than anybody types, is no password`(text: String) {
        #expect(Password(text) == nil)
    }

    @Test func `a letter with its accent is one code point, however it was typed`() throws {
        let decomposed = String(repeating: "e\u{301}", count: 10)

        #expect(try #require(Password(decomposed)).isLongEnough)
        #expect(try !#require(Password(String(decomposed.dropLast()))).isLongEnough)
    }

    @Test func `a password does not show itself`() throws {
        #expect(!"\(try #require(Password("correct horse")))".contains("horse"))
    }
}
