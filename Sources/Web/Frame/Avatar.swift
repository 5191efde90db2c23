internal import Domain
internal import Store

/// The circle that stands for somebody, for an account, or for somebody elsewhere: their picture, else their initials in a colour that their name has for ever.
struct Avatar {
    /// The two kinds of pictures.
    private enum Picture {
        /// A public rendition.
        case photo(PersonPicture)
        /// One that is kept of another server's, by its address here.
        case kept(String)
    }

    let name: String
    private let picture: Picture?

    init(_ person: Person) { self.init(name: person.displayName, picture: person.picture) }

    init(name: String, picture: PersonPicture? = nil) { (self.name, self.picture) = (name, picture.map { .photo($0) }) }

    /// An account of the service `name`; the address changes with the picture.
    init(_ account: Account, of name: String) {
        self.init(account.id, pictureVersion: account.pictureVersion, of: name)
    }

    init(_ account: AccountID, pictureVersion: String?, of name: String) {
        self.init(name: name, path: pictureVersion.map { "\(PageHandlers.path(of: account))/picture?v=\($0)" })
    }

    /// Somebody elsewhere; `path` is the address of their picture here.
    init(name: String, path: String?) { (self.name, picture) = (name, path.map { .kept($0) }) }

    /// The classes `hue0` to `hue11` of the stylesheet.
    private static let hues = 12

    /// `kind` are further classes. The name stands beside it, so it says nothing itself.
    func html(_ kind: HTML = .nothing) -> HTML {
        switch picture {
        case .photo(let picture):
            PublicRendition.thumb.element(
                of: picture.code, picture.recipe, size: (64, 64), alt: "", isEager: false,
                kind: " class=\"avatar u-photo\(kind)\"")
        case .kept(let path):
            "<img class=\"avatar\(kind)\" src=\"\(path)\" alt=\"\" width=\"64\" height=\"64\" loading=\"lazy\" decoding=\"async\">"
        case nil:
            "<span class=\"avatar hue\(hue)\(kind)\" aria-hidden=\"true\">\(initials)</span>"
        }
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
