internal import HTTP
package import HTTPServer

/// A language that Pics speaks. The raw value is its tag (RFC 5646).
///
/// Pages say things through it: `language(.signIn)` is the text of a `Phrase`.
package enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case japanese = "ja"

    private static let tags = allCases.map(\.rawValue)

    /// The browser's language, else English.
    package init(_ request: HTTPRequest) {
        self.init(accepting: request.fields["Accept-Language"])
    }

    /// The language that an `Accept-Language` field leads to, else English.
    init(accepting field: String?) {
        self = field.flatMap { AcceptedLanguages($0).lookUp(Self.tags) }.flatMap(Self.init) ?? .english
    }

    /// The language of what people wrote: Japanese where there is kana in it, else English. It is told to readers of feeds, who
    /// have no other way to know.
    init(of texts: some Sequence<String>) {
        let hasKana = texts.contains { text in text.unicodeScalars.contains { (0x3041...0x30FF).contains($0.value) } }
        self = hasKana ? .japanese : .english
    }

    /// The text of a phrase in this language.
    package func callAsFunction(_ phrase: Phrase) -> String {
        ownWords(phrase) + (phrase.told ?? "")
    }

    private func ownWords(_ phrase: Phrase) -> String {
        switch self {
        case .english: phrase.english
        case .japanese: phrase.japanese
        }
    }

    /// The same as markup, in which another language is marked as such.
    func marked(_ phrase: Phrase) -> HTML {
        HTML.join([.text(ownWords(phrase)), phrase.told.map(inEnglish) ?? .nothing])
    }

    /// A sentence that is kept in English, marked as such on pages in other languages.
    func inEnglish(_ sentence: String) -> HTML {
        self == .english ? "<bdi>\(sentence)</bdi>" : "<bdi lang=\"en\">\(sentence)</bdi>"
    }

    /// As Open Graph names it, with a country.
    var openGraphLocale: String {
        switch self {
        case .english: "en_US"
        case .japanese: "ja_JP"
        }
    }
}

/// Something that pages say, in every language: whoever writes one has to write the others too.
///
/// Phrases stand in `Words/`, one file for each area, as members: `static let like = Phrase("Like", ja: "いいね")`; with
/// values in them as functions: `static func likes(_ count: Int) -> Phrase`.
package struct Phrase: Sendable, Equatable {
    package let english: String
    let japanese: String
    /// A submitter's words about its service, in English, behind the rest.
    let told: String?

    package init(_ english: String, ja japanese: String) {
        self.init(english, ja: japanese, told: nil)
    }

    package init(_ english: String, ja japanese: String, told: String?) {
        (self.english, self.japanese, self.told) = (english, japanese, told)
    }

    /// A submitter's words alone.
    init(told: String) { self.init("", ja: "", told: told) }

    /// The same text in every language, such as a name.
    package init(same text: String) { self.init(text, ja: text) }
}

/// A phrase with markup in it: what a person has written stands in an element of its own, so that its direction stays there.
///
/// It is said by `language.marked(.youAre(name))`.
struct MarkedPhrase: Sendable {
    let english: HTML
    let japanese: HTML

    init(_ english: HTML, ja japanese: HTML) {
        self.english = english
        self.japanese = japanese
    }
}

extension Language {
    /// The markup of a phrase in this language.
    func marked(_ phrase: MarkedPhrase) -> HTML {
        switch self {
        case .english: phrase.english
        case .japanese: phrase.japanese
        }
    }
}
