internal import Domain
internal import HTTP
internal import Store

/// The paths of a user's gallery. All have a segment before the name, so that none can be a short link's.
struct GalleryAddress {
    /// The newest photos.
    let photos: String

    /// Takes a user's name, which needs no encoding.
    init(_ name: String) { photos = "/u/\(name)" }

    var albums: String { "\(photos)/albums" }

    /// Names may hold any character, also a slash, so they stand in the query.
    func album(_ name: String) -> String { "\(photos)?album=\(PercentEncoding.encode(name))" }

    /// A hashtag, which comes without its sign.
    func tag(_ tag: String) -> String { "\(photos)/tags/\(PercentEncoding.encode(tag))" }

    /// The present year.
    var days: String { "\(photos)/days" }

    func days(of year: Int) -> String { "\(days)/\(year)" }

    /// A day such as `2026-12-31`.
    func day(_ day: String) -> String { "\(photos)/day/\(day)" }

    func part(_ part: GalleryPart) -> String {
        switch part {
        case .all: photos
        case .album(let name): album(name)
        case .tag(let tag): self.tag(tag)
        }
    }

    func feed(_ format: FeedFormat, of part: GalleryPart = .all) -> String {
        let path = "\(photos)/\(format.file)"
        return switch part {
        case .all: path
        case .album(let name): "\(path)?album=\(PercentEncoding.encode(name))"
        case .tag(let tag): "\(path)?tag=\(PercentEncoding.encode(tag))"
        }
    }

    /// A page from a place on.
    func page(_ part: GalleryPart, _ place: GalleryPlace) -> String {
        let path = self.part(part)
        let place: FormFields =
            switch place {
            case .newest: [:]
            case .before(let photo): ["before": "\(photo)"]
            case .after(let photo): ["after": "\(photo)"]
            }
        return place.added(to: path)
    }
}
