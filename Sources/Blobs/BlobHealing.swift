package import Crypto
internal import EventLoops
package import FoundationEssentials

/// Comparing blobs with their digests, and putting them right.
extension BlobStore {
    /// What comparing a blob has come to.
    package enum Finding: Sendable, Equatable {
        case whole
        /// It was put right; what was wrong.
        case healed(BlobFault)
        case faulty(BlobFault)
    }

    /// Writes a further copy of a blob to a new file at a path, as from a backup; false where there is none. What it writes is compared with the
    /// digest before it is used.
    package typealias Spare = @Sendable (_ digest: SHA256Digest, _ path: String) async -> Bool

    /// Compares a blob with its digest in the place that keeps it. One that the other place has whole, or of which there is a spare, is put
    /// right; the bytes that were wrong stay aside, until `removeDamaged`.
    ///
    /// - Parameters:
    ///   - digest: Which blob.
    ///   - bytes: The size it must have, if it is known.
    ///   - readsAll: Whether a blob in the bucket is read and compared, too; one in the folder always is.
    ///   - spare: Where a further copy may be.
    /// - Returns: What it has come to.
    /// - Throws: `system` or `unavailable` when nobody can say.
    package func check(
        _ digest: SHA256Digest, expecting bytes: Int64? = nil, readsAll: Bool = false, spare: Spare? = nil
    ) async throws(BlobError) -> Finding {
        guard let fault = try await faultWhereKept(digest, bytes, readsAll) else { return .whole }
        do throws(BlobError) {
            if try await heal(digest) { return .healed(fault) }
            if let spare, try await heal(digest, from: spare) { return .healed(fault) }
        } catch {
            noteFault(digest, fault)
            throw error
        }
        noteFault(digest, fault)
        return .faulty(fault)
    }

    /// The fault that a blob has after `check`; nil when it has none.
    ///
    /// - Throws: As `check` does.
    package func fault(
        of digest: SHA256Digest, expecting bytes: Int64? = nil, readsAll: Bool = false
    ) async throws(BlobError) -> BlobFault? {
        guard case .faulty(let fault) = try await check(digest, expecting: bytes, readsAll: readsAll) else {
            return nil
        }
        return fault
    }

    private func faultWhereKept(
        _ digest: SHA256Digest, _ bytes: Int64?, _ readsAll: Bool
    ) async throws(BlobError) -> BlobFault? {
        guard let bucket = keeper else { return try await localFault(of: digest) }
        guard let found = try await bucket.look(digest) else { return .missing }
        if let bytes, found.bytes != bytes { return .damaged }
        guard readsAll else { return nil }
        return try await bucket.hash(digest) == digest ? nil : .damaged
    }

    /// Puts a blob right from the place where it is not kept; whether that has it whole.
    private func heal(_ digest: SHA256Digest) async throws(BlobError) -> Bool {
        guard let bucket else { return false }
        do throws(BlobError) {
            guard place == .bucket else {
                try await fetch(digest)
                return true
            }
            guard try await localFault(of: digest) == nil, let size = try await size(of: digest) else { return false }
            try await bucket.setDamagedAside(digest)
            try await bucket.put(fileAt: path(of: digest), as: digest, bytes: size)
            return true
        } catch {
            guard BlobFault(error) != nil else { throw error }
            return false
        }
    }

    /// Puts a blob right from a spare; whether there is one with the right bytes.
    private func heal(_ digest: SHA256Digest, from spare: Spare) async throws(BlobError) -> Bool {
        let (folder, path) = (folder, folder.newTemporary())
        do throws(BlobError) {
            guard await spare(digest, path) else {
                await threads.remove([path])
                return false
            }
            // Makes it durable, too.
            let examined = try await examine(fileAt: path)
            guard examined.digest == digest else {
                await threads.remove([path])
                return false
            }
            if let bucket = keeper {
                try await bucket.setDamagedAside(digest)
                try await bucket.put(fileAt: path, as: digest, bytes: examined.bytes)
            }
            let isKeptHere = place == .folder
            try await threads.run { () throws(BlobError) in
                if isKeptHere { try folder.setDamagedAside(digest) }
                try folder.install(path, as: digest)
            }
            return true
        } catch {
            await threads.remove([path])
            throw error
        }
    }

    /// Removes files with wrong bytes that were moved aside before `moment`.
    ///
    /// - Returns: How many.
    package func removeDamaged(before moment: Date) async throws(BlobError) -> Int {
        if let bucket = keeper { return try await bucket.removeDamaged(before: moment) }
        let folder = folder.damaged
        return try await threads.run { () throws(BlobError) in
            guard try Disk.status(of: folder) != nil else { return 0 }
            var count = 0
            for name in try Disk.names(in: folder) {
                guard let time = DamagedName.time(of: name), time < moment else { continue }
                if try Disk.remove("\(folder)/\(name)") { count += 1 }
            }
            return count
        }
    }
}

/// The name of a file whose bytes are wrong, once it was moved aside: its digest, and when that was, in seconds since 1970.
enum DamagedName {
    static func of(_ digest: SHA256Digest) -> String { "\(digest.hex).\(Int64(Date().timeIntervalSince1970))" }

    /// Nil for a name that is not ours.
    static func time(of name: String) -> Date? {
        let parts = name.split(separator: ".")
        guard parts.count == 2, SHA256Digest(hex: String(parts[0])) != nil, let seconds = Int64(parts[1]) else {
            return nil
        }
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
}
