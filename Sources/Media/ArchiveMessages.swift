/// A request to a process that reads an archive. Files come along as open descriptors.
package enum ArchiveRequest: Codable, Sendable {
    /// Begins with the archive that comes along; the first request.
    case open
    /// Tells the next files. The last of them is the one that `extract` takes when it is a text: its name ends in one of these.
    case list(texts: [String])
    /// Goes on to the file of this number, counted from 0; it may not be behind.
    case seek(Int)
    /// Writes the file that was told last to the one that comes along.
    case extract(limit: Int64)
}

/// A response of such a process.
package enum ArchiveReply: Codable, Sendable {
    case opened
    /// Files in their order; none at the end.
    case entries([ArchiveEntry])
    case extracted(bytes: Int64)
    case refused(ArchiveError)
}

/// A file in an archive. Folders, links and devices are none.
package struct ArchiveEntry: Codable, Sendable, Equatable {
    /// Its place among all entries of the archive.
    package let number: Int
    /// As it stands there; nothing is ever written under it.
    package let name: String
    /// In bytes, as the archive says; nil where it does not.
    package let size: Int64?
    /// In seconds since 1970.
    package let modified: Int64?
    package let isEncrypted: Bool

    package init(number: Int, name: String, size: Int64?, modified: Int64?, isEncrypted: Bool) {
        self.number = number
        self.name = name
        self.size = size
        self.modified = modified
        self.isEncrypted = isEncrypted
    }

    /// The longest name that is told, in bytes; a file with a longer one is left out.
    package static let longestName = 1024
    /// Files of one response at most, which a packet has room for.
    package static let mostAtOnce = 64
}

/// Why something in an archive was not read.
package enum ArchiveError: String, Codable, Error, Sendable {
    /// It is no archive of a kind that is read.
    case unreadable
    /// It ends too early.
    case cutOff
    /// The file is damaged; those behind it may be whole.
    case damaged
    case encrypted
    /// The file is longer than was asked for.
    case tooLong
    /// It takes too much time or memory, or made its reader crash.
    case tooCostly
    /// It is not the archive's fault.
    case failed
}
