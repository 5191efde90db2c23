package import Domain
package import FoundationEssentials
package import HTTP

/// A post as its source tells of it: one photo, several, or a video.
package struct ImportItem: Sendable, Equatable {
    /// A file of it.
    package struct Photo: Sendable, Equatable {
        package var altText = ""
        package var taken: TakenTime?
        /// The time of its camera's clock in ISO 8601 without an offset, where `taken` is not known.
        package var takenByClock: String?
        /// The edits that are shown, as an export of Pics writes them.
        package var recipe: JSONValue?

        package init(altText: String = "", taken: TakenTime? = nil, recipe: JSONValue? = nil) {
            (self.altText, self.taken, self.recipe) = (altText, taken, recipe)
        }
    }

    /// Its name at its source; nil where it has none, and is known by its bytes.
    package var identity: String?
    package var caption = ""
    /// One for each file, in their order.
    package var photos: [Photo]
    /// When it was published there; nil where nothing is said.
    package var publishedAt: Date?
    package var album: String?
    package var visibility = Visibility.private
    package var position: Position?
    package var labels = ContentLabels()
    /// Likes there.
    package var likes = 0

    package init(photos: [Photo] = [Photo()]) { self.photos = photos }
}

/// A post that is found in an archive, before anything of it is kept in memory.
package struct PlannedItem: Sendable, Equatable {
    /// What is said of it.
    package var texts: [ImportTexts.Span]
    /// Its files, by their index in the tree.
    package var files: [Int]
    /// Where in the list of its text each file stands, for sources whose posts have several.
    package var places: [Int] = []
    /// Names of files that are not there.
    package var missing: [String] = []
    /// The text that tells of it and cannot be read.
    package var unreadable: String?

    package init(
        texts: [ImportTexts.Span] = [], files: [Int] = [], places: [Int] = [], missing: [String] = [],
        unreadable: String? = nil
    ) {
        self.texts = texts
        self.files = files
        self.places = places
        self.missing = missing
        self.unreadable = unreadable
    }
}

/// The form in which a source gives out what is somebody's.
package protocol ImportFormat: Sendable {
    static var source: ImportSource { get }

    /// Nil when it is not the form of these files.
    init?(_ tree: ImportTree, _ texts: ImportTexts)

    /// Finds the posts, in any order; `visit` takes each.
    func plan(
        _ tree: ImportTree, _ texts: ImportTexts, _ visit: (PlannedItem) throws(ImportProblem) -> Void
    ) throws(ImportProblem)

    /// Reads what is said of a post; nil when it is to be left out.
    func item(_ planned: PlannedItem, _ tree: ImportTree, _ texts: ImportTexts) throws(ImportProblem) -> ImportItem?
}

/// Every form, those that are told apart most surely first.
package enum ImportFormats {
    package static func format(of tree: ImportTree, _ texts: ImportTexts) -> any ImportFormat {
        let forms: [any ImportFormat.Type] = [
            OwnExport.self, PixelfedStatuses.self, ActivityPubOutbox.self, InstagramDownload.self, FlickrDownload.self,
            Takeout.self,
        ]
        for form in forms {
            if let format = form.init(tree, texts) { return format }
        }
        return PlainFolder(tree, texts)
    }
}

extension ImportItem {
    /// The longest list of files of one post.
    package static let mostPhotos = 20
}

extension String {
    /// Words as hashtags behind a caption; those that it has already are not repeated.
    func adding(tags: [String]) -> String {
        let known = Set(lowercased().split { !($0.isLetter || $0.isNumber || $0 == "#" || $0 == "_") }.map(String.init))
        var added: [String] = []
        for tag in tags {
            let word = String(tag.filter { $0.isLetter || $0.isNumber || $0 == "_" })
            guard !word.isEmpty, !word.allSatisfy(\.isNumber), !known.contains("#\(word.lowercased())"),
                !added.contains("#\(word)")
            else { continue }
            added.append("#\(word)")
        }
        guard !added.isEmpty else { return self }
        return isEmpty ? added.joined(separator: " ") : "\(self)\n\n\(added.joined(separator: " "))"
    }
}

extension JSONValue {
    /// A number, also as a text.
    var number: Double? { double ?? string.flatMap { Double($0) } }

    /// A time in seconds since 1970, also as a text; nil for 0, which stands for none.
    var secondsSince1970: Date? {
        guard let seconds = number, seconds.isFinite, seconds != 0, abs(seconds) < 32_503_680_000 else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }
}

extension Position {
    /// Nil also for 0, 0, which stands for none.
    init?(known latitude: Double?, _ longitude: Double?) {
        guard let latitude, let longitude, latitude != 0 || longitude != 0 else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
