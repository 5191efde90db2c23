import HTTP
import Testing

struct AcceptedLanguagesTests {
    @Test(
        arguments: [
            (nil, nil), ("", nil), ("de", nil), ("ja", "ja"), ("JA", "ja"), ("en", "en"), ("ja-JP", "ja"),
            ("ja-Hira-JP-x-private", "ja"), ("de, ja", "ja"), ("en;q=0.8, ja", "ja"),
            ("en-GB, en;q=0.9, ja;q=0.8", "en"),
            ("ja;q=0.5, en;q=0.5", "ja"), ("*", "en"), ("de, *;q=0.5", "en"),
            ("ja;q=0.1, *", "en"), ("en;q=0.1, *", "ja"),
            ("en;q=0, *", "ja"), ("en;q=0", nil), ("ja;q=0, ja-JP", nil), ("en;q=0.001, ja;q=0.002", "ja"),
            ("jav", nil), ("j", nil), (", ,ja,", "ja"), ("@, ja", "ja"), ("ja;q=nonsense, en;q=0.1", "en"),
            ("ja;q=nan, en", "en"), ("zh-Hant-TW, ja;q=0.9", "ja"),
        ] as [(String?, String?)])
    func `the language that a person reads best is looked up`(value: String?, expected: String?) {
        #expect(AcceptedLanguages(value).lookUp(["en", "ja"]) == expected)
    }

    @Test func `a longer tag is found before a shorter one`() {
        #expect(AcceptedLanguages("pt-BR").lookUp(["pt", "pt-BR"]) == "pt-BR")
        #expect(AcceptedLanguages("pt-PT").lookUp(["pt", "pt-BR"]) == "pt")
    }

    @Test func `a field without end is read to a bound`() {
        let field = String(repeating: "de, ", count: 10_000) + "ja"

        #expect(AcceptedLanguages(field).lookUp(["en", "ja"]) == nil)
    }
}
