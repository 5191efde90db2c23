internal import Domain
internal import FoundationEssentials

/// Where in the archive a photo lies: `alice/2026/2026-11-21_194200_Ab3dE9xZ.jpg`.
struct ArchiveName: Sendable, Equatable {
    /// The owner's folder.
    let user: String
    /// Four digits.
    let year: String
    /// As `OutgoingPhoto.nameOfTime`; then its code, which no other photo has.
    let file: String

    /// Nil when the owner's name cannot be a folder's. `fileExtension` comes without its dot.
    init?(_ photo: OutgoingPhoto, fileExtension: String) {
        guard User.isValidName(photo.owner) else { return nil }
        user = photo.owner
        let time = photo.nameOfTime
        year = String(time.prefix(4))
        file = "\(time)_\(photo.code).\(fileExtension)"
    }

    /// Reads what `path` gave; nil for anything else.
    init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, User.isValidName(parts[0]), parts[1].utf8.count == 4,
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), !parts[2].isEmpty, !parts[2].hasPrefix("."),
            !parts[2].utf8.contains(0)
        else { return nil }
        (user, year, file) = (parts[0], parts[1], parts[2])
    }

    /// From the archive's root, with slashes.
    var path: String { "\(user)/\(year)/\(file)" }

    /// The name of the sidecar, as photo programs expect it beside the picture.
    var sidecar: String { "\(file).xmp" }
}
