package import Domain
package import FoundationEssentials
internal import Postgres

/// The last writer of an upload in a bucket, and the offset that its client knows.
package struct UploadWriting: Sendable, Equatable {
    /// The number of the last writer.
    package let writer: Int
    /// The offset in bytes at which it began.
    package let offset: Int64
    /// The most bytes that a client was told of.
    package let told: Int64

    package init(writer: Int, offset: Int64, told: Int64) {
        (self.writer, self.offset, self.told) = (writer, offset, told)
    }
}

extension PicsStore {
    /// Adds an upload, together with the answer that was given to its `Idempotency-Key`, if it had one.
    ///
    /// - Returns: False when the owner's quota is used up.
    /// - Throws: `.conflict("idempotency_keys_pkey")` when the key has been answered meanwhile.
    package func add(
        _ upload: Upload, livingFor age: Duration, quota: UploadQuota, response: IdempotentResponse?
    ) async throws(StoreError) -> Bool {
        try await mappingErrors { () async throws(PostgresError) in
            // In a statement of its own, so that the next one sees what came before.
            let lock: Query<Void> = .lockUploads(of: upload.owner)
            guard let response else {
                return try await !database.run(lock, .insertUpload(upload, age: age, quota: quota)).1.isEmpty
            }
            return try await database.transaction { transaction throws(PostgresError) in
                let (_, inserted) = try await transaction.run(lock, .insertUpload(upload, age: age, quota: quota))
                if !inserted.isEmpty { try await transaction.execute(.saveResponse(response)) }
                return !inserted.isEmpty
            }
        }
    }

    /// Whether the owner's quota has room for one more upload of `bytes` now.
    package func hasRoom(for bytes: Int64, of owner: UserID, within quota: UploadQuota) async throws(StoreError) -> Bool
    {
        try await first(.uploadRoom(for: bytes, of: owner, within: quota)) ?? false
    }

    /// A live upload of the owner's.
    package func upload(_ id: UploadID, owner: UserID) async throws(StoreError) -> Upload {
        guard let upload = try await first(.upload(id, owner: owner)) else { throw .notFound }
        return upload
    }

    /// A live upload, whoever's it is: for those who know its address.
    package func upload(_ id: UploadID) async throws(StoreError) -> Upload {
        guard let upload = try await first(.upload(id)) else { throw .notFound }
        return upload
    }

    /// A page of the owner's uploads, newest first.
    package func uploads(of owner: UserID, before: UploadID?, limit: Int) async throws(StoreError) -> [Upload] {
        try await rows(.uploads(of: owner, before: before, limit: limit))
    }

    /// A page of everybody's live uploads that should be photos and are none, by identifier: complete, or of tus with a known
    /// length, whose file may have all its bytes.
    package func unpublishedUploads(
        after: UploadID?, quiet: Duration, age: Duration, limit: Int
    ) async throws(StoreError) -> [Upload] {
        try await rows(.unpublishedUploads(after: after, quiet: quiet, age: age, limit: limit))
    }

    /// Says how long the whole file is.
    ///
    /// - Throws: `.changed` when somebody has said so before.
    package func setLength(_ length: Int64, of upload: UploadID) async throws(StoreError) {
        guard try await execute(.setUploadLength(upload, length)) == 1 else { throw .changed }
    }

    /// Lets only the first `bytes` count until the part behind them is found right; nil: all count.
    package func setChecked(_ bytes: Int64?, of upload: UploadID) async throws(StoreError) {
        try await execute(.setUploadChecked(upload, bytes))
    }

    /// The last writer of an upload in a bucket.
    package func writing(of upload: UploadID) async throws(StoreError) -> UploadWriting {
        guard let writing = try await first(.writing(upload)) else { throw .notFound }
        return writing
    }

    /// The number of a new writer of an upload that begins at `offset`: the next after `writer`. Nil when another has begun since, or a client was
    /// told of more.
    package func beginWriting(_ upload: UploadID, at offset: Int64, after writer: Int) async throws(StoreError) -> Int?
    {
        try await first(.beginWriting(upload, at: offset, after: writer)).map(Int.init)
    }

    /// Notes what a client is told; false when another writer than `writer` has begun: then it may be wrong.
    package func tell(_ offset: Int64, of upload: UploadID, after writer: Int) async throws(StoreError) -> Bool {
        try await execute(.tellOffset(offset, of: upload, after: writer)) == 1
    }

    /// Lets an upload live on for `age`, and notes what its client is told; false when a newer writer than `writer` has begun.
    @discardableResult
    package func touch(
        _ upload: UploadID, livingFor age: Duration, as writer: Int? = nil, telling told: Int64? = nil
    ) async throws(StoreError) -> Bool {
        try await execute(.touchUpload(upload, age: age, writer: writer, told: told)) == 1 || writer == nil
    }

    /// All bytes are there and durable.
    package func complete(_ upload: UploadID, length: Int64) async throws(StoreError) {
        try await execute(.completeUpload(upload, length: length))
    }

    /// Notes the type that the file turned out to have.
    package func setMediaType(_ mediaType: String, of upload: UploadID) async throws(StoreError) {
        try await execute(.setUploadType(upload, mediaType))
    }

    /// Nothing can be added any more; `problem` says why.
    package func fail(_ upload: UploadID, _ problem: String) async throws(StoreError) {
        try await execute(.failUpload(upload, problem))
    }

    /// Forgets an upload. `.notFound` when there is none.
    package func delete(_ upload: UploadID, owner: UserID) async throws(StoreError) {
        guard try await execute(.deleteUpload(upload, owner: owner)) == 1 else { throw .notFound }
    }

    /// Forgets some uploads whose time is over, and tells which.
    package func deleteExpiredUploads(limit: Int) async throws(StoreError) -> [UploadID] {
        try await rows(.expiredUploads(limit: limit))
    }

    /// Which of these uploads are known.
    package func knownUploads(among ids: [UUID]) async throws(StoreError) -> Set<UploadID> {
        Set(try await rows(.knownUploads(among: ids)))
    }
}
