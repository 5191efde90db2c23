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
        func path(_ format: PictureFormat) -> String {
            PublicRendition.thumb.path(code: picture.code, format, recipe: picture.recipe)
        }
        return """
            <picture><source type="image/webp" srcset="\(path(.webp))"><img class="avatar u-photo\(kind)" src="\(path(.jpeg))" \
            width="64" height="64" alt="" decoding="async" loading="lazy"></picture>
            """
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

    var hue: Int {
        Int(name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 } >> 32)
            % Self.hues
    }
}
