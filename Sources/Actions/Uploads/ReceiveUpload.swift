internal import Blobs
internal import Crypto
package import Domain
internal import EventLoops
internal import FoundationEssentials
internal import Glibc
internal import Logging
package import Store

/// An upload that is to begin, as its client describes it.
package struct NewUpload: Sendable {
    package var `protocol`: Upload.Kind
    package var part = Upload.Part.whole
    /// Of the whole file in bytes; nil while the client has not said.
    package var length: Int64?
    /// The uploads that a final one is made of, in their order.
    package var parts: [UploadID] = []
    /// `Upload-Metadata` of tus as it came.
    package var metadata = ""
    /// `Upload-Concat` of tus as it came.
    package var concat: String?
    package var mediaType: String?
    package var fileName: String?
    /// The announced SHA-256; 32 bytes.
    package var sha256: [UInt8]?
    /// The photo that it becomes when it is complete; nil when a later request decides.
    package var draft: StoredDraft?

    package init(_ protocol: Upload.Kind) { self.protocol = `protocol` }

    /// Everything that tells two of them apart.
    fileprivate var fingerprint: [UInt8] {
        IdempotencyKey.fingerprint(
            [
                `protocol`.rawValue, part.rawValue, metadata, concat ?? "", "\(length ?? -1)", mediaType ?? "",
                fileName ?? "", draft?.text ?? "",
            ].map { Array($0.utf8) } + [sha256 ?? []])
    }
}

/// The result of a beginning.
package enum BegunUpload: Sendable {
    case new(Upload)
    /// It began under the same key before.
    case before(IdempotentResponse)
}

/// One part of an upload.
package struct UploadPart: Sendable {
    /// Where its client means to go on: the number of durable bytes.
    package let offset: Int64
    /// Whether it comes with the request that began the upload.
    package let isFirst: Bool
    /// Whether the client says that nothing follows.
    package let isLast: Bool
    /// The bytes of this part, if the client says so.
    package let bytes: Int64?
    /// The length of the whole file that the client tells with this part.
    package let length: Int64?
    package let checksum: PartChecksum?
    /// Whether an upload has failed when more bytes come than were announced. In tus it goes on where the part began.
    package let failsOnExcess: Bool
    /// Whether an error of reading the body means that its client is gone.
    package let isBroken: @Sendable (any Error) -> Bool
    /// Called as bytes become durable, with their number.
    package let progress: @Sendable (Int64) async -> Void

    package init(
        at offset: Int64, isFirst: Bool, isLast: Bool, bytes: Int64?, length: Int64?, checksum: PartChecksum?,
        failsOnExcess: Bool, isBroken: @escaping @Sendable (any Error) -> Bool,
        progress: @escaping @Sendable (Int64) async -> Void
    ) {
        self.offset = offset
        self.isFirst = isFirst
        self.isLast = isLast
        self.bytes = bytes
        self.length = length
        self.checksum = checksum
        self.failsOnExcess = failsOnExcess
        self.isBroken = isBroken
        self.progress = progress
    }
}

/// An upload after a part, or when it is looked at again.
package struct UploadProgress: Sendable {
    package let upload: Upload
    /// Durable bytes.
    package let offset: Int64
    /// Whether this part was the last that was missing, rather than a repetition of it.
    package internal(set) var isNewlyComplete = false
    /// The photo of an upload that is complete and becomes one by itself, or why it did not.
    package let photo: Result<CreatedPhoto, any Error>?
}

/// A part that does not fit its upload.
package struct UploadMismatch: Error {
    package enum Reason: Equatable, Sendable {
        /// The client goes on at another place.
        case offset(provided: Int64)
        /// Two lengths contradict each other.
        case length
        /// More bytes than `limit`.
        case tooLarge(limit: Int64)
    }

    package let reason: Reason
    package let upload: Upload
    /// Durable bytes.
    package let offset: Int64
}

extension UploadActions {
    /// Begins an upload, as far as `reservation` has room. A final one is complete at once. `respond` writes the response that is kept under `key`.
    ///
    /// - Throws: `ActionError`, `InvalidField`, `BlobError`, `StoreError`.
    package func begin(
        _ new: NewUpload, by user: User, within reservation: StorageReservation, key: IdempotencyKey?,
        requestID: String,
        keeping respond: (UploadID) -> StoredResponse
    ) async throws -> BegunUpload {
        let fingerprint = new.fingerprint
        if let kept = try await context.savedResponse(key, fingerprint: fingerprint) { return .before(kept) }
        let id = UploadID.make()
        let length = new.part == .final ? try await length(of: new.parts, user) : new.length
        if let length { try reservation.demand(length) }
        if new.part == .final {
            try await join(new.parts, as: id, bytes: length ?? 0, user)
        } else {
            try await context.uploadFiles.create(id.uuid)
        }
        let limits = context.limits
        let upload = Upload(
            id: id, owner: user.id, protocol: new.protocol, part: new.part,
            state: new.part == .final ? .complete : .receiving, length: length, checked: nil,
            metadata: new.metadata, concat: new.concat, mediaType: new.mediaType, fileName: new.fileName,
            sha256: new.sha256, draft: new.part == .partial ? nil : new.draft?.text, problem: nil, photo: nil,
            createdAt: Date(), expiresAt: Date().addingTimeInterval(limits.uploadAge / .seconds(1)))
        do {
            let isAdded = try await store.add(
                upload, livingFor: limits.uploadAge, quota: limits.quota,
                response: key?.keeping(respond(id), fingerprint: fingerprint))
            guard isAdded else { throw ActionError.uploadQuotaUsed }
        } catch let error {
            // The file of an upload that may have been added stays; the sweeper removes files that no upload knows.
            if (error as? StoreError)?.leavesChangeUnknown == true { throw error }
            try await context.uploadFiles.remove(id.uuid)
            guard error.isConflict(of: "idempotency_keys_pkey") else { throw error }
            guard let kept = try await context.savedResponse(key, fingerprint: fingerprint) else {
                throw ActionError.requestUnderWay
            }
            return .before(kept)
        }
        context.logger.info("upload begun", ["upload": id, "length": length, "request": requestID])
        return .new(upload)
    }

    /// An upload whose beginning is asked for again: where it is now. One that has arrived becomes a photo.
    ///
    /// - Throws: `StoreError.gone` when it is there no more; `ActionError.uploadFailed`.
    package func resume(_ id: UploadID, by user: User, for request: ActionRequest) async throws -> UploadProgress {
        try await context.uploadLocks.work(on: id, isCancellable: false) {
            let upload: Upload
            do { upload = try await self.settled(id, user, request) } catch StoreError.notFound {
                throw StoreError.gone
            }
            guard upload.state != .failed else { throw ActionError.uploadFailed }
            return await self.finished(upload, at: try await self.durableBytes(of: upload), user, request)
        }
    }

    /// The state of an upload that has all its bytes: it becomes a photo, if it said so at its begin.
    package func finished(
        _ upload: Upload, at offset: Int64, _ user: User, _ request: ActionRequest
    ) async -> UploadProgress {
        guard upload.state == .complete, upload.draft != nil else {
            return UploadProgress(upload: upload, offset: offset, photo: nil)
        }
        let photo: Result<CreatedPhoto, any Error>
        do { photo = .success(try await publish(upload, user, request)) } catch { photo = .failure(error) }
        return UploadProgress(upload: upload, offset: offset, photo: photo)
    }

    /// Makes the file of a final upload, which nobody knows yet: a process that dies over it leaves a file to be swept, and never an
    /// upload without its bytes.
    private func join(_ parts: [UploadID], as id: UploadID, bytes: Int64, _ user: User) async throws {
        // Asked again when the upload is added; here it saves the disk the work.
        guard try await store.hasRoom(for: bytes, of: user.id, within: context.limits.quota) else {
            throw ActionError.uploadQuotaUsed
        }
        do throws(BlobError) { try await context.uploadFiles.join(parts.map(\.uuid), as: id.uuid) } catch {
            guard case .system(_, ENOENT) = error else { throw error }
            throw InvalidField.invalid("#/Upload-Concat", "A part is gone.")
        }
    }

    /// The length of the parts of a final upload together; they have to be finished.
    private func length(of parts: [UploadID], _ user: User) async throws -> Int64 {
        var length: Int64 = 0
        for part in parts {
            let upload: Upload
            do throws(StoreError) { upload = try await store.upload(part, owner: user.id) } catch {
                guard error == .notFound else { throw error }
                throw InvalidField.invalid("#/Upload-Concat", "There is no upload \(part).")
            }
            guard upload.part == .partial, upload.state == .complete, let bytes = upload.length else {
                throw InvalidField.invalid("#/Upload-Concat", "\(part) is no finished partial upload.")
            }
            length += bytes
        }
        guard length <= context.limits.fileBytes else {
            throw ActionError.uploadTooLarge(limit: context.limits.fileBytes)
        }
        return length
    }

    // MARK: Parts

    /// Takes a part, and makes all of it durable. A newer request for the same upload ends this one. `body` reads the part, and
    /// hands on each piece.
    ///
    /// - Throws: `UploadMismatch`, `ActionError`, `BlobError`, `StoreError`, and what `body` throws.
    package func append(
        _ part: UploadPart, to id: UploadID, by user: User, for request: ActionRequest,
        body: @escaping @Sendable ((ArraySlice<UInt8>) async throws -> Void) async throws -> Void
    ) async throws -> UploadProgress {
        try await context.uploadLocks.work(on: id) {
            var upload = try await self.store.upload(id, owner: user.id)
            if upload.part == .final, !part.isFirst { throw ActionError.finalUpload }
            guard upload.state != .failed else { throw ActionError.uploadFailed }
            guard upload.state == .receiving else { return try await self.repeated(upload, part, user, request) }
            let (file, writer) = try await self.openFile(of: upload)
            // Nobody else opens it before its bytes have become what they should.
            defer { withExtendedLifetime(file) {} }
            guard file.bytes == part.offset else {
                throw UploadMismatch(
                    reason: .offset(provided: part.offset), upload: upload, offset: try await file.synchronize())
            }
            upload = try await self.learnLength(upload, part)
            let receiving = upload
            do { try await self.write(part, receiving, file, as: writer, body) } catch {
                // A client of tus that has sent all does not come back, even if it never heard so. What fails here is done
                // with the next HEAD.
                if part.isBroken(error) { await self.settleBroken(id, user, request) }
                throw error
            }
            let bytes = file.bytes
            return try await self.toItsEnd { try await self.arrived(receiving, bytes, part, user, request) }
        }
    }

    private func settleBroken(_ id: UploadID, _ user: User, _ request: ActionRequest) async {
        do {
            _ = try await toItsEnd { try await self.settled(id, user, request) }
        } catch {
            context.logger.debug("a broken upload is not settled", ["upload": id, "error": logText(of: error)])
        }
    }

    /// Runs `work` to its end, also when the client goes away or another request takes over meanwhile: what has arrived must not wait
    /// for a client that thinks it is done.
    private func toItsEnd<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await Task(executorPreference: EventLoop.current) { try await work() }.value
    }

    /// All of a part is on the disk.
    private func arrived(
        _ upload: Upload, _ bytes: Int64, _ part: UploadPart, _ user: User, _ request: ActionRequest
    ) async throws -> UploadProgress {
        if part.isLast, let length = upload.length, length != bytes {
            throw UploadMismatch(reason: .length, upload: upload, offset: bytes)
        }
        let isComplete =
            switch upload.protocol {
            case .tus: upload.length == bytes
            case .ietf: part.isLast
            }
        if isComplete { try await store.complete(upload.id, length: bytes) }
        var progress = await finished(try await store.upload(upload.id, owner: user.id), at: bytes, user, request)
        progress.isNewlyComplete = isComplete
        return progress
    }

    /// A part of an upload that is complete: nothing but a repetition of the last one, whose response was lost.
    private func repeated(
        _ upload: Upload, _ part: UploadPart, _ user: User, _ request: ActionRequest
    ) async throws -> UploadProgress {
        let length = upload.length ?? 0
        guard part.offset == length else {
            throw UploadMismatch(reason: .offset(provided: part.offset), upload: upload, offset: length)
        }
        guard part.bytes == 0 else {
            throw UploadMismatch(reason: .tooLarge(limit: length), upload: upload, offset: length)
        }
        return await finished(upload, at: length, user, request)
    }

    /// Notes the length that a part tells, and refuses one that cannot be.
    private func learnLength(_ upload: Upload, _ part: UploadPart) async throws -> Upload {
        var told = [part.length].compactMap(\.self)
        if part.isLast, let bytes = part.bytes { told.append(part.offset + bytes) }
        for length in told {
            guard upload.length == nil || upload.length == length, told[0] == length else {
                throw UploadMismatch(reason: .length, upload: upload, offset: part.offset)
            }
        }
        let length = upload.length ?? told.first
        let longest = context.limits.fileBytes
        guard length ?? 0 <= longest, part.offset + (part.bytes ?? 0) <= length ?? longest else {
            if part.failsOnExcess, upload.length != nil {
                try await fail(upload.id, "More bytes came than were announced.")
            }
            throw UploadMismatch(reason: .tooLarge(limit: length ?? longest), upload: upload, offset: part.offset)
        }
        guard upload.length == nil, let length else { return upload }
        try await store.setLength(length, of: upload.id)
        return try await store.upload(upload.id, owner: upload.owner)
    }

    /// Writes a part to the file; all of it is durable afterwards. What came before a connection broke is kept.
    private func write(
        _ part: UploadPart, _ upload: Upload, _ file: UploadFile, as writer: Int?,
        _ body: @Sendable ((ArraySlice<UInt8>) async throws -> Void) async throws -> Void
    ) async throws {
        let start = file.bytes
        let limits = context.limits
        let checksum = part.checksum.map { PartChecksum.Running($0) }
        if let checksum {
            try await store.setChecked(start, of: upload.id)
            file.observe { checksum.update($0) }
        }
        var pace = SyncInterval(from: start)
        do {
            try await body { piece in
                guard file.bytes + Int64(piece.count) <= upload.length ?? limits.fileBytes else {
                    try await file.truncate(to: start)
                    if part.failsOnExcess { try await fail(upload.id, "More bytes came than were announced.") }
                    throw ActionError.uploadTooLarge(limit: upload.length ?? limits.fileBytes)
                }
                try await file.append(piece)
                guard pace.isDue(file.bytes) else { return }
                let durable = try await file.synchronize()
                try await touch(upload, as: writer, telling: checksum == nil ? durable : nil)
                if checksum == nil { await part.progress(durable) }
            }
        } catch  where part.isBroken(error) {
            do { _ = try await file.synchronize() } catch let failure {
                // It was told to nobody: the next request goes by the file's size.
                context.logger.debug(
                    "an upload's bytes are not durable", ["upload": upload.id, "error": logText(of: failure)])
            }
            throw error
        }
        let durable = try await file.synchronize()
        try await touch(upload, as: writer, telling: checksum == nil ? durable : nil)
        guard let checksum else { return }
        let fits = checksum.fits
        if !fits { try await file.truncate(to: start) }
        try await store.setChecked(nil, of: upload.id)
        guard fits else { throw ActionError.digestMismatch }
        try await touch(upload, as: writer, telling: durable)
    }

    /// Lets an upload live on.
    ///
    /// - Throws: `ActionError.uploadLocked` when another node writes to it meanwhile: what came here may not count.
    private func touch(_ upload: Upload, as writer: Int?, telling told: Int64?) async throws {
        let told = writer == nil ? nil : told
        guard try await store.touch(upload.id, livingFor: context.limits.uploadAge, as: writer, telling: told) else {
            throw ActionError.uploadLocked
        }
    }
}
