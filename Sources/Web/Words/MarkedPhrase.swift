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
