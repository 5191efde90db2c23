internal import Glibc
internal import System

/// A folder with a folder for each user, that photos are copied to. Every call blocks.
///
/// Nothing below it is followed out of it: a symbolic link in place of a folder is an error, one in place of a file is
/// replaced by the file.
struct Archive: Sendable {
    /// Made when it is missing; its parent is not.
    let root: String

    /// Writes what the archive does not hold yet, each file beside its place.
    ///
    /// `progress` is told how many bytes of the original are copied; `isCancelled` is asked between pieces. The response is
    /// what to give to `publish`: nothing when the archive holds all of it.
    func stage(
        _ original: String, bytes: Int64, sidecar: [UInt8], as name: ArchiveName, progress: (Int64) -> Void,
        isCancelled: () -> Bool
    ) throws(ArchiveError) -> [String] {
        let folder = try folder(of: name)
        let source = try OwnedDescriptor(opening: original, flags: O_RDONLY)
        var staged: [String] = []
        if try !Self.holds(source, bytes: bytes, as: name.file, in: folder) {
            let part = try Self.makePart(of: name.file, in: folder)
            try Self.copy(source, bytes: bytes, to: part, progress: progress, isCancelled: isCancelled)
            try part.sync()
            staged.append(name.file)
        }
        if try !Self.holds(sidecar, as: name.sidecar, in: folder) {
            let part = try Self.makePart(of: name.sidecar, in: folder)
            try part.append(sidecar)
            try part.sync()
            staged.append(name.sidecar)
        }
        return staged
    }

    /// Puts staged files in their place: each appears whole, and for good when this returns.
    func publish(_ staged: [String], of name: ArchiveName) throws(ArchiveError) {
        let folder = try folder(of: name)
        for file in staged {
            guard renameat(folder.number, Self.partName(of: file), folder.number, file) == 0 else {
                throw .system(call: "renameat", code: errno)
            }
        }
        try folder.sync()
    }

    /// Takes a photo and its sidecar away; what is not there is gone already.
    func remove(_ name: ArchiveName) throws(ArchiveError) {
        let folder = try folder(of: name)
        for file in [name.file, name.sidecar] {
            guard unlinkat(folder.number, file, 0) == 0 || errno == ENOENT else {
                throw .system(call: "unlinkat", code: errno)
            }
        }
        try folder.sync()
    }

    private func folder(of name: ArchiveName) throws(ArchiveError) -> OwnedDescriptor {
        guard mkdir(root, 0o700) == 0 || errno == EEXIST else { throw .system(call: "mkdir", code: errno) }
        let root = try OwnedDescriptor(opening: root, flags: O_RDONLY | O_DIRECTORY)
        return try root.folder(name.user).folder(name.year)
    }

    // One name for each photo, so that an attempt that was killed leaves nothing that the next does not take away.
    private static func partName(of file: String) -> String { ".\(file).part" }

    private static func makePart(of file: String, in folder: borrowing OwnedDescriptor) throws(ArchiveError)
        -> OwnedDescriptor
    {
        guard unlinkat(folder.number, partName(of: file), 0) == 0 || errno == ENOENT else {
            throw .system(call: "unlinkat", code: errno)
        }
        return try OwnedDescriptor(
            opening: partName(of: file), in: folder, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    }
}

// Reading and copying.
extension Archive {
    private static let pieceBytes = 1 << 20

    /// The file of that name and length; nil when there is none, or something else.
    private static func existing(
        _ file: String, bytes: Int64, in folder: borrowing OwnedDescriptor
    ) throws(ArchiveError) -> OwnedDescriptor? {
        var status = stat()
        guard fstatat(folder.number, file, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw .system(call: "fstatat", code: errno) }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size == bytes else { return nil }
        return try OwnedDescriptor(opening: file, in: folder, flags: O_RDONLY)
    }

    private static func holds(
        _ content: [UInt8], as file: String, in folder: borrowing OwnedDescriptor
    ) throws(ArchiveError) -> Bool {
        guard let existing = try existing(file, bytes: Int64(content.count), in: folder) else { return false }
        return try existing.content(at: 0, atMost: content.count) == content
    }

    private static func holds(
        _ source: borrowing OwnedDescriptor, bytes: Int64, as file: String, in folder: borrowing OwnedDescriptor
    ) throws(ArchiveError) -> Bool {
        guard let existing = try existing(file, bytes: bytes, in: folder) else { return false }
        var offset: Int64 = 0
        while offset < bytes {
            let piece = try source.content(at: offset, atMost: pieceBytes)
            guard !piece.isEmpty, try existing.content(at: offset, atMost: piece.count) == piece else { return false }
            offset += Int64(piece.count)
        }
        return true
    }

    private static func copy(
        _ source: borrowing OwnedDescriptor, bytes: Int64, to part: borrowing OwnedDescriptor,
        progress: (Int64) -> Void,
        isCancelled: () -> Bool
    ) throws(ArchiveError) {
        var offset: Int64 = 0
        while offset < bytes {
            if isCancelled() { throw .cancelled }
            let piece = try source.content(at: offset, atMost: Int(min(Int64(pieceBytes), bytes - offset)))
            guard !piece.isEmpty else { throw .shortOriginal }
            try part.append(piece)
            offset += Int64(piece.count)
            progress(offset)
        }
    }
}
