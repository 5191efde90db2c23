package import Blobs
package import Domain
internal import Store
internal import System

/// The archives of an import on their way from the browser. They become blobs; an import that is not begun leaves them to the sweeper.
package final class IncomingArchives {
    private let imports: ImportActions
    private let user: User
    private let permit: ConcurrencyLimit<UserID>.Permit
    /// Bytes that they may still have.
    private var room: Int64
    private var writer: BlobWriter?
    private var names: [String] = []
    private var archives: [(blob: BlobID, bytes: Int64)] = []

    /// Archives of one import.
    private static let most = 200

    fileprivate init(
        _ imports: ImportActions, _ user: User, room: Int64, _ permit: ConcurrencyLimit<UserID>.Permit
    ) {
        (self.imports, self.user, self.room, self.permit) = (imports, user, room, permit)
    }

    /// Begins the next archive.
    ///
    /// - Throws: `InvalidField` when there are too many; `BlobError`.
    package func begin(_ name: String?) async throws {
        try await end()
        guard names.count < Self.most else {
            throw InvalidField.invalid("#/archive", "There may be \(Self.most) files.")
        }
        names.append(name ?? "archive")
        writer = imports.context.blobs.begin(limit: room)
    }

    /// Takes further bytes of it.
    package func write(_ bytes: ArraySlice<UInt8>) async throws(BlobError) { try await writer?.write(bytes) }

    /// Ends the archive. A browser sends an empty one where none was chosen.
    package func end() async throws {
        guard let writer else { return }
        self.writer = nil
        guard !writer.firstBytes.isEmpty else {
            await writer.abandon()
            names.removeLast()
            return
        }
        let stored = try await writer.finish()
        room -= stored.bytes
        archives.append((BlobID(stored.digest), stored.bytes))
    }

    /// Queues the import; nil when there is no archive.
    ///
    /// - Throws: `ActionError.importUnderWay`.
    package func finish() async throws -> ImportID? {
        try await end()
        guard !archives.isEmpty else { return nil }
        return try await imports.add(archives, named: names.joined(separator: ", "), for: user)
    }

    /// Drops what has come.
    package func abandon() async { await writer?.abandon() }
}

extension ImportActions {
    /// Begins to take archives: as many bytes as the settings allow, and not many more than the user may store.
    ///
    /// - Throws: `ActionError.importUnderWay` when the user has an import that has not ended, or sends another one now.
    package func begin(for user: User) async throws -> IncomingArchives {
        guard let permit = context.importsOnTheirWay.take(user.id), try await !store.hasOpenImport(of: user.id) else {
            throw ActionError.importUnderWay
        }
        var room = context.limits.archiveBytes
        if let quota = try await store.storage(of: user.id).quota(usual: context.limits.storage) {
            // What an archive says of its photos counts, too.
            room = min(room, quota / 4 * 5 + 16 << 20)
        }
        return IncomingArchives(self, user, room: room, permit)
    }
}
