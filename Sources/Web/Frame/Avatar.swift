internal import Domain
internal import Store

/// The circle that stands for somebody: their picture, else their initials in a colour that their name has for ever.
struct Avatar {
    let name: String
    let picture: PersonPicture?

    init(_ person: Person) { self.init(name: person.displayName, picture: person.picture) }

    init(name: String, picture: PersonPicture? = nil) { (self.name, self.picture) = (name, picture) }

    /// The classes `hue0` to `hue11` of the stylesheet.
    private static let hues = 12

    /// `kind` are further classes. The name stands beside it, so it says nothing itself.
    func html(_ kind: HTML = .nothing) -> HTML {
        guard let picture else {
            return "<span class=\"avatar hue\(hue)\(kind)\" aria-hidden=\"true\">\(initials)</span>"
        }
        return PublicRendition.thumb.element(
            of: picture.code, picture.recipe, size: (64, 64), alt: "", isEager: false,
            kind: " class=\"avatar u-photo\(kind)\"")
    }

    /// The first letters of the first and last words; of a name without spaces its first.
    var initials: String {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        guard let first = words.first?.first else { return "?" }
        guard words.count > 1, let last = words.last?.first, first.isASCII, last.isASCII else {
            return Self.small(first)
        }
        return Self.small(first) + Self.small(last)
    }

    /// A letter without a pile of marks, as a capital where there is one.
    private static func small(_ letter: Character) -> String {
        String(String.UnicodeScalarView(letter.unicodeScalars.prefix(2))).uppercased()
    }

    var hue: Int { Int(ContentHash.number(of: name.utf8) >> 32) % Self.hues }
}
