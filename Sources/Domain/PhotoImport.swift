package import FoundationEssentials

package typealias ImportID = Identifier<PhotoImport>

/// One run over an archive or folder from elsewhere whose photos become an owner's.
package struct PhotoImport: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        /// Its archives have arrived.
        case waiting
        case running
        /// It went through all; single items may have failed.
        case done
        /// It ended before.
        case failed
    }

    package let id: ImportID
    package let owner: UserID
    /// Nil while nobody has looked into it.
    package let source: ImportSource?
    package let state: State
    /// The names of its files, as their owner knows them.
    package let name: String
    package let counts: ImportCounts
    /// Why it has failed.
    package let problem: ImportProblem?
    package let createdAt: Date
    package let endedAt: Date?

    package init(
        id: ImportID, owner: UserID, source: ImportSource?, state: State, name: String, counts: ImportCounts,
        problem: ImportProblem?, createdAt: Date, endedAt: Date?
    ) {
        self.id = id
        self.owner = owner
        self.source = source
        self.state = state
        self.name = name
        self.counts = counts
        self.problem = problem
        self.createdAt = createdAt
        self.endedAt = endedAt
    }
}

/// What has become of the posts of an import.
package struct ImportCounts: Sendable, Equatable {
    /// Those that were found in it.
    package var found = 0
    package var imported = 0
    /// Those that the owner had already.
    package var known = 0
    package var failed = 0

    package init(found: Int = 0, imported: Int = 0, known: Int = 0, failed: Int = 0) {
        (self.found, self.imported, self.known, self.failed) = (found, imported, known, failed)
    }

    /// Those that are through.
    package var ended: Int { imported + known + failed }
}

/// Where the photos of an import come from.
package enum ImportSource: String, Sendable, CaseIterable {
    /// An export of Pics.
    case pics
    /// Google Photos, by Google Takeout.
    case takeout
    case mastodon
    case pixelfed
    case instagram
    case flickr
    /// Files, and what is said in them or beside them.
    case folder
}

/// Why an import, or a post of it, has failed. Its description is an English sentence.
package enum ImportProblem: String, Error, Sendable, CaseIterable, CustomStringConvertible {
    /// Neither ZIP nor tar.gz, or so damaged that nothing can be read.
    case unreadable
    /// It ends too early.
    case cutOff = "cut_off"
    /// It, or the file, is encrypted.
    case encrypted
    /// It has more files than an import may.
    case tooManyFiles = "too_many_files"
    /// Its files together are larger than those of an import may be.
    case tooLarge = "too_large"
    /// What it says of its photos is longer than an import may.
    case tooMuchText = "too_much_text"
    /// There is no photo in it.
    case empty
    /// The user's quota is used up.
    case quota
    /// The file is not among those that were given.
    case missing
    /// The file is longer than a photo may be.
    case tooLong = "too_long"
    /// The file is of no type that Pics takes.
    case unsupported
    /// The file is damaged, or too costly to read.
    case damaged
    /// What is said of the photo cannot be read.
    case badText = "bad_text"
    /// The files of one post are too far apart in the archives.
    case scattered
    /// It was begun again and again and never ended.
    case abandoned

    package var description: String {
        switch self {
        case .unreadable: "This is not a ZIP or tar.gz file, or it is damaged."
        case .cutOff: "The archive ends too early. Download it again."
        case .encrypted: "It is encrypted."
        case .tooManyFiles: "The archive has too many files. Import it in parts."
        case .tooLarge: "The archive unpacks to more than an import may have. Import it in parts."
        case .tooMuchText: "The archive says more of its photos than an import can read. Import it in parts."
        case .empty: "There are no photos in it."
        case .quota: "Not enough storage left."
        case .missing: "The file is not in the archives that were given."
        case .tooLong: "The file is larger than a photo or video may be."
        case .unsupported: "Pics does not take files of this type."
        case .damaged: "The file is damaged."
        case .badText: "The description of the photo cannot be read."
        case .scattered: "The files of one post are too far apart in the archives."
        case .abandoned: "The import stopped. Start it again: it goes on where it was."
        }
    }
}

/// A post of an import that has failed.
package struct ImportFailure: Sendable, Equatable {
    /// Its file in the archive.
    package let file: String
    package let problem: ImportProblem

    package init(file: String, problem: ImportProblem) { (self.file, self.problem) = (file, problem) }
}

/// What a photo that is imported has from elsewhere.
package struct PhotoOrigin: Sendable, Equatable {
    package let importID: ImportID
    /// 32 bytes that name it among all that its owner has imported.
    package let key: [UInt8]
    /// When it was published there; nil: when it was taken.
    package let publishedAt: Date?
    /// The time of its file, where nothing better is known.
    package let fileDate: Date?
    /// When the photo of each place was taken, as its source says.
    package let taken: [TakenTime?]
    /// Likes there.
    package let likes: Int

    package init(
        importID: ImportID, key: [UInt8], publishedAt: Date?, fileDate: Date?, taken: [TakenTime?], likes: Int
    ) {
        self.importID = importID
        self.key = key
        self.publishedAt = publishedAt
        self.fileDate = fileDate
        self.taken = taken
        self.likes = likes
    }
}

/// A moment by a camera's clock.
package struct TakenTime: Sendable, Equatable {
    package let date: Date
    /// As `Photo.takenOffset`.
    package let offset: Int?

    package init(_ date: Date, offset: Int? = nil) { (self.date, self.offset) = (date, offset) }
}
