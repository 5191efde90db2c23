import HTTP
import Testing

@testable import Apps

/// Words between Micropub and captions.
@Suite struct MicropubWordsTests {
    @Test func `brackets behind a name make a list, with a number in them as PHP sends it too`() throws {
        let body = try MicropubBody([
            "category[0]": "a", "category[1]": "b", "photo": "c", "photo[]": "d", "content[html]": "<p>Hi</p>",
            "access_token": "secret", "h": "entry", "x[y]": "z",
        ])
        #expect(body.texts("category") == ["a", "b"] && body.texts("photo") == ["c", "d"])
        #expect(MicropubBody.words(body.values("content")) == "Hi")
        #expect(body.properties.keys.sorted() == ["category", "content", "photo", "x[y]"])
    }

    @Test(arguments: [
        ("Words\n\n#a #b", "Words", ["a", "b"]), ("#a #b", "", ["a", "b"]), ("Words #a", "Words #a", ["a"]),
        ("Words\n\n#a and", "Words\n\n#a and", ["a"]), ("", "", []), ("Only words", "Only words", []),
    ])
    func `a last paragraph of hashtags is the categories`(caption: String, words: String, categories: [String]) {
        let read = CategorizedCaption(caption)
        #expect(read.words == words && read.categories == categories && read.text == caption)
    }

    @Test(arguments: [
        ("New York", "NewYork"), ("#sea", "sea"), ("café", "café"), ("rock & roll", "rockRoll"),
        ("https://example.com/ann", nil), ("2026", nil), ("", nil),
    ])
    func `a category becomes the hashtag that is nearest to it`(category: String, tag: String?) {
        #expect(CategorizedCaption.hashtag(of: category) == tag)
    }
}
