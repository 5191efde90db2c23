internal import Domain
internal import Foundation

/// Where in the archive a photo lies: `alice/2026/2026-11-21_194200_Ab3dE9xZ.jpg`.
struct ArchiveName: Sendable, Equatable {
    /// The owner's folder.
    let user: String
    /// Four digits.
    let year: String
    /// When the photo was taken, else when Pics got it, in UTC; then its code, which no other photo has.
    let file: String

    /// Nil when the owner's name cannot be a folder's. `fileExtension` comes without its dot.
    init?(_ photo: OutgoingPhoto, fileExtension: String) {
        guard User.isValidName(photo.owner) else { return nil }
        user = photo.owner
        let time = photo.takenAt.flatMap(Self.time) ?? Self.time(photo.createdAt) ?? "0000-00-00_000000"
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

    /// `2026-11-21_194200`; nil outside the years 0001 to 9999, which a camera may well claim.
    private static func time(_ date: Date) -> String? {
        let text = date.formatted(.iso8601)
        guard text.utf8.count == 20 else { return nil }
        return String(text.dropLast()).replacing("T", with: "_").replacing(":", with: "")
    }
}
