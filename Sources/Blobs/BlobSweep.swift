package import Crypto
internal import EventLoops
package import FoundationEssentials

/// A blob as a sweeper sees it.
package struct ListedBlob: Hashable, Sendable {
    package let digest: SHA256Digest
    /// Its size.
    package let bytes: Int64
    /// When it was last stored; storing it again makes it young again.
    package let stored: Date
}

extension BlobStore {
    /// The blobs whose digests start with the byte `shard`, in no order: a 256th of all, so that a sweep needs little
    /// memory.
    package func blobs(inShard shard: UInt8) async throws(BlobError) -> [ListedBlob] {
        if let bucket = keeper { return try await bucket.blobs(inShard: shard) }
        return try await list(folder.shard(shard))
    }

    /// The number of blobs. It lists the names of all of them.
    package func count() async throws(BlobError) -> Int {
        if let bucket = keeper { return try await bucket.count() }
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            var count = 0
            for byte in UInt8.min...UInt8.max {
                count += try Disk.names(in: folder.shard(byte)).count { SHA256Digest(hex: $0) != nil }
            }
            return count
        }
    }

    /// Removes a blob, but not one that was stored, or stored again, after `moment`; a reader that has it open can read it to its
    /// end.
    ///
    /// - Returns: Whether it was removed.
    package func remove(_ digest: SHA256Digest, storedBefore moment: Date = .distantFuture) async throws(BlobError)
        -> Bool
    {
        if let bucket = keeper {
            guard try await bucket.remove(digest, storedBefore: moment) else { return false }
            _ = try await removeFile(digest, storedBefore: .distantFuture)
            return true
        }
        let isRemoved = try await removeFile(digest, storedBefore: moment)
        // What was moved here goes there, too.
        if isRemoved, let bucket { _ = try await bucket.remove(digest, storedBefore: moment) }
        return isRemoved
    }

    func removeFile(_ digest: SHA256Digest, storedBefore moment: Date) async throws(BlobError) -> Bool {
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            try folder.whileStored(digest, before: moment) { () throws(BlobError) in
                try Disk.remove(folder.file(digest))
            }
        }
    }

    /// Removes what interrupted writers left in `temporary/` and nobody has written to for `age`.
    ///
    /// - Returns: How many files were removed.
    package func sweepTemporary(olderThan age: Duration) async throws(BlobError) -> Int {
        let folder = folder.temporary
        let limit = Date().addingTimeInterval(-(age / .seconds(1)))
        return try await threads.run { () throws(BlobError) in
            var removed = 0
            for name in try Disk.names(in: folder) {
                guard let status = try Disk.status(of: "\(folder)/\(name)"), status.modified <= limit else { continue }
                if try Disk.remove("\(folder)/\(name)") { removed += 1 }
            }
            return removed
        }
    }

    // MARK: lost+found

    /// Where blobs are that were set aside, as people read it.
    package var lostAndFound: String { keeper.map { "\($0.shown)lost+found" } ?? folder.lostAndFound }

    /// Moves a blob to `lost+found`, but not one that was stored, or stored again, after `moment`.
    ///
    /// - Returns: Whether it was moved.
    package func setAside(_ digest: SHA256Digest, storedBefore moment: Date) async throws(BlobError) -> Bool {
        if let bucket = keeper { return try await bucket.setAside(digest, storedBefore: moment) }
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            try Disk.makeFolder(folder.lostAndFound)
            return try folder.whileStored(digest, before: moment) { () throws(BlobError) in
                // From now on its age counts.
                guard try Disk.touch(folder.file(digest)) else { return false }
                try Disk.rename(folder.file(digest), to: folder.lostFile(digest))
                try Disk.synchronizeFolder(folder.lostAndFound)
                return true
            }
        }
    }

    /// The blobs that were set aside, in no order; `stored` is when that was.
    package func blobsSetAside() async throws(BlobError) -> [ListedBlob] {
        if let bucket = keeper { return try await bucket.blobsSetAside() }
        return try await list(folder.lostAndFound)
    }

    /// Removes a blob for good that was set aside.
    ///
    /// - Returns: Whether it was there.
    package func removeSetAside(_ digest: SHA256Digest) async throws(BlobError) -> Bool {
        if let bucket = keeper { return try await bucket.removeSetAside(digest) }
        let file = folder.lostFile(digest)
        return try await threads.run { () throws(BlobError) in try Disk.remove(file) }
    }

    /// Moves a blob back that was set aside, if its bytes still have its digest.
    ///
    /// - Returns: Whether it is back.
    package func restore(_ digest: SHA256Digest) async throws(BlobError) -> Bool {
        if let bucket = keeper { return try await bucket.restore(digest) }
        let folder = folder
        return try await threads.run { () throws(BlobError) in
            let file = folder.lostFile(digest)
            guard let status = try Disk.status(of: file), status.isFile,
                try OpenBlob(file, digest).hash() == digest
            else { return false }
            try folder.install(file, as: digest)
            return true
        }
    }

    func list(_ folder: String) async throws(BlobError) -> [ListedBlob] {
        try await threads.run { () throws(BlobError) in
            var found: [ListedBlob] = []
            for name in try Disk.names(in: folder) {
                // Another process may remove it meanwhile; other names are not ours.
                guard let digest = SHA256Digest(hex: name), let status = try Disk.status(of: "\(folder)/\(name)"),
                    status.isFile
                else { continue }
                found.append(ListedBlob(digest: digest, bytes: status.bytes, stored: status.modified))
            }
            return found
        }
    }
}
