package import Blobs
internal import Crypto
package import Domain
internal import EventLoops
internal import Glibc
internal import HTTP
internal import Logging
internal import Media
internal import Store

/// The things that are done with uploads that come in parts. In a process one request works on an upload at a time; between
/// processes the lock of its file decides.
package struct UploadActions: Sendable {
    package let photos: PhotoActions
    /// Writes the response that is kept when an upload becomes a photo under an idempotency key.
    let respond: PhotoResponder

    var context: ActionContext { photos.context }
    var store: PicsStore { context.store }

    package init(_ photos: PhotoActions, respond: @escaping PhotoResponder) {
        (self.photos, self.respond) = (photos, respond)
    }

    // MARK: Reading

    /// The upload as it is now, and how many of its bytes are durable. A request that sends to it is asked to let go first; an
    /// upload that has arrived and should be a photo becomes one.
    package func current(
        _ id: UploadID, of user: User, for request: ActionRequest
    ) async throws -> (upload: Upload, offset: Int64) {
        try await context.uploadLocks.work(on: id, isCancellable: false) {
            let upload = try await self.settled(id, user, request)
            return (upload, try await self.durableBytes(of: upload))
        }
    }

    /// The bytes that are durable.
    ///
    /// - Throws: `StoreError.gone` when its file is gone.
    package func durableBytes(of upload: Upload) async throws -> Int64 {
        guard context.blobs.place == .bucket else { return try await durableBytes(of: upload, since: nil) }
        // Whatever has been left of its bytes.
        if upload.photo != nil, let length = upload.length { return length }
        // Nothing less than another node has told, whatever a listing says that is behind; and nothing that a writer may still take back.
        for pause in Self.pausesForListing {
            let writing = try await store.writing(of: upload.id)
            let turn = UploadTurn(writer: writing.writer, offset: writing.offset)
            let bytes = try await durableBytes(of: upload, since: turn)
            if bytes >= writing.told, try await store.tell(bytes, of: upload.id, after: writing.writer) { return bytes }
            try await EventLoop.current?.sleep(for: pause)
        }
        throw ActionError.uploadLocked
    }

    private static let pausesForListing: [Duration] = [
        .milliseconds(20), .milliseconds(100), .milliseconds(300), .milliseconds(600), .zero,
    ]

    private func durableBytes(of upload: Upload, since turn: UploadTurn?) async throws -> Int64 {
        guard let bytes = try await context.uploadFiles.durableBytes(of: upload.id.uuid, since: turn) else {
            // Its bytes have become a photo's.
            guard upload.photo != nil, let length = upload.length else { throw StoreError.gone }
            return length
        }
        return min(bytes, upload.checked ?? bytes)
    }

    /// The bytes that have arrived so far, durable or not.
    package func arrivedBytes(of upload: Upload) async throws -> Int64 {
        let bytes = try await context.uploadFiles.bytes(of: upload.id.uuid) ?? upload.length ?? 0
        return min(bytes, upload.checked ?? bytes)
    }

    /// The picture of an upload that has arrived and is no photo yet, as a recipe would show it: a JPEG whose longest side has `side`
    /// pixels.
    ///
    /// - Throws: `ActionError.noUpload`, `.uploadUsed` and `.uploadIncomplete`; `InvalidField`, `MediaError`, `StoreError.gone`.
    package func preview(
        _ id: UploadID, _ draft: RecipeDraft?, side: Int, of user: User
    ) async throws -> (file: OpenBlob, mediaType: String) {
        let upload = try await finished(id, of: user)
        guard try await context.uploadFiles.bytes(of: upload.id.uuid) != nil else { throw StoreError.gone }
        return try await photos.preview(
            try await context.uploadFiles.wholeFile(of: upload.id.uuid), try draft?.recipe(for: nil), side: side,
            for: user.id)
    }

    // MARK: Ending

    /// Deletes an upload with its bytes; a request that sends to it is cut off. A photo that was made of it stays.
    package func delete(_ id: UploadID, of user: User) async throws {
        try await context.uploadLocks.work(on: id, isCancellable: false) { try await self.remove(id, of: user) }
    }

    private func remove(_ id: UploadID, of user: User) async throws {
        try await store.delete(id, owner: user.id)
        try await context.uploadFiles.remove(id.uuid)
    }

    /// Ends an upload for good. Its bytes go first, so that no failed upload ever has any.
    func fail(_ upload: UploadID, _ problem: String) async throws {
        try await context.uploadFiles.remove(upload.uuid)
        try await store.fail(upload, problem)
    }

    // MARK: Becoming a photo

    /// Creates a post of finished uploads, in their order, with what is said of it now.
    ///
    /// - Throws: `ActionError.noUpload`, `.uploadUsed` and `.uploadIncomplete`, and as `PhotoActions.create`.
    package func createPhoto(
        of ids: [UploadID], _ creation: PhotoCreation, by user: User
    ) async throws -> CreatedPhoto {
        let fingerprint = IdempotencyKey.fingerprint(
            ids.map { Array("upload \($0)".utf8) } + [creation.draft.json.serialized])
        if let kept = try await context.savedResponse(creation.key, fingerprint: fingerprint) { return .response(kept) }
        // In one order for all requests, so that two do not wait for each other.
        return try await working(on: ids.sorted { $0.description < $1.description }[...]) {
            // A request that was faster may have used the key meanwhile.
            if let kept = try await self.context.savedResponse(creation.key, fingerprint: fingerprint) {
                return .response(kept)
            }
            var uploads: [Upload] = []
            for id in ids { uploads.append(try await self.finished(id, of: user)) }
            let companions = try await self.photos.companions(of: creation.draft, of: user)
            var files: [ArrivedFile] = []
            for upload in uploads { files.append(try await self.file(of: upload)) }
            let recipients = try await self.photos.recipients(for: creation.draft, of: user)
            return try await self.photos.create(
                files, creation, by: user, to: recipients, along: companions, fingerprint: fingerprint)
        }
    }

    private func working(
        on ids: ArraySlice<UploadID>, _ work: @escaping @Sendable () async throws -> CreatedPhoto
    ) async throws -> CreatedPhoto {
        guard let id = ids.first else { return try await work() }
        return try await context.uploadLocks.work(on: id, isCancellable: false) {
            try await self.working(on: ids.dropFirst(), work)
        }
    }

    /// An upload that is whole and no photo yet.
    private func finished(_ id: UploadID, of user: User) async throws -> Upload {
        let upload: Upload
        do throws(StoreError) { upload = try await store.upload(id, owner: user.id) } catch {
            guard error == .notFound else { throw error }
            throw ActionError.noUpload
        }
        guard upload.photo == nil else { throw ActionError.uploadUsed }
        guard upload.part != .partial, try await hasArrived(upload) else { throw ActionError.uploadIncomplete }
        return upload
    }

    /// The photo of an upload that said at its begin what is to become of it; created now, or before.
    func publish(_ upload: Upload, _ user: User, _ request: ActionRequest?) async throws -> CreatedPhoto {
        if upload.photo == nil {
            let draft = try StoredDraft(upload.draft ?? "{}")
            do {
                let created = try await create(upload, draft, user, request)
                // The key's photo was made before; nobody needs these bytes any more.
                if try await store.upload(upload.id, owner: user.id).photo == nil {
                    try await remove(upload.id, of: user)
                }
                return created
            } catch let error {
                guard error.isConflict(of: "uploads_used_once") else {
                    try await giveUp(upload, for: error)
                    throw error
                }
                // Another request was faster.
            }
        }
        guard let photo = try await store.upload(upload.id, owner: user.id).photo else { throw StoreError.gone }
        return .photo(photo)
    }

    private func create(
        _ upload: Upload, _ stored: StoredDraft, _ user: User, _ request: ActionRequest?
    ) async throws -> CreatedPhoto {
        let file = try await file(of: upload)
        let creation = PhotoCreation(
            stored.photo, key: stored.key.map { IdempotencyKey($0, of: user.id) }, for: request, respond: respond)
        let fingerprint = IdempotencyKey.fingerprint([file.file.digest.bytes, stored.photo.json.serialized])
        if let kept = try await context.savedResponse(creation.key, fingerprint: fingerprint) { return .response(kept) }
        return try await photos.create(
            [file], creation, by: user, to: try await photos.recipients(for: stored.photo, of: user),
            along: try await photos.companionsLeft(of: stored.photo, of: user), fingerprint: fingerprint)
    }

    /// An upload whose content can never be a photo has failed; its bytes go.
    private func giveUp(_ upload: Upload, for error: any Error) async throws {
        switch error {
        case ActionError.unsupportedMediaType: try await fail(upload.id, ActionError.takenTypes)
        case ActionError.keyUsed:
            try await fail(upload.id, "The Idempotency-Key was used for another request.")
        case let error as InvalidField where error.isContent: try await fail(upload.id, error.detail)
        case MediaError.refused: try await fail(upload.id, "\(error)")
        default: break
        }
    }

    /// The file of an upload. One that is not what was announced has failed; its bytes go.
    private func file(of upload: Upload) async throws -> ArrivedFile {
        let file: HashedFile
        do {
            file = try await context.uploadFiles.examine(upload.id.uuid)
        } catch let error {
            if case .system(_, ENOENT) = error { throw StoreError.gone }
            throw error
        }
        // A listing of the bucket that is behind: the bytes are there, and nothing may be said of them yet.
        if let length = upload.length, file.bytes != length { throw ActionError.uploadLocked }
        if let expected = upload.sha256, file.digest.bytes != expected {
            try await fail(upload.id, "The bytes are not those that were announced.")
            throw ActionError.digestMismatch
        }
        return ArrivedFile(
            file: file, path: try await context.uploadFiles.wholeFile(of: upload.id.uuid), place: .uploaded(upload.id))
    }

    /// Whether all bytes are there. For tus they alone decide: its clients do not come back once they have sent them, even if
    /// nobody has heard their end.
    func hasArrived(_ upload: Upload) async throws -> Bool {
        guard upload.state == .receiving, upload.protocol == .tus, let length = upload.length,
            try await durableBytes(of: upload) == length
        else { return upload.state == .complete }
        try await store.complete(upload.id, length: length)
        return true
    }

    /// The upload as it is now; what has arrived and should be a photo becomes one, also when its client has gone away.
    func settled(_ id: UploadID, _ user: User, _ request: ActionRequest?) async throws -> Upload {
        let upload = try await store.upload(id, owner: user.id)
        guard try await hasArrived(upload), upload.photo == nil else { return upload }
        if upload.draft != nil, upload.part != .partial {
            do { _ = try await publish(upload, user, request) } catch {
                context.logger.warning("an upload is no photo yet", ["upload": id, "error": logText(of: error)])
            }
        }
        return try await store.upload(id, owner: user.id)
    }

    /// Opens the file; what was left of a part whose checksum nobody has compared is dropped.
    func openFile(of upload: Upload) async throws -> (file: UploadFile, writer: Int?) {
        var writer: Int?
        let file: UploadFile
        do {
            // In a folder the lock of the file decides.
            if context.blobs.place == .bucket {
                let writing = try await store.writing(of: upload.id)
                file = try await context.uploadFiles.open(
                    upload.id.uuid, since: UploadTurn(writer: writing.writer, offset: writing.offset),
                    keeping: upload.checked
                ) { offset in
                    let number = try await store.beginWriting(upload.id, at: offset, after: writing.writer)
                    guard let number else { throw ActionError.uploadLocked }
                    writer = number
                    return number
                }
            } else {
                file = try await context.uploadFiles.open(upload.id.uuid, keeping: upload.checked)
            }
        } catch let error as BlobError {
            switch error {
            case .inUse: throw ActionError.uploadLocked
            case .system(_, ENOENT): throw StoreError.gone
            default: throw error
            }
        }
        if upload.checked != nil { try await store.setChecked(nil, of: upload.id) }
        return (file, writer)
    }

    // MARK: Uploads that nobody asks for any more

    /// Nobody works on an upload for longer than this after its last byte, but who makes a photo of it.
    package static let quiet = Duration.seconds(60)

    /// Creates the photos of uploads that had arrived when a process ended, or lost its bucket or database, before it could. Their clients do not
    /// come back: they may have sent all, or have heard so.
    ///
    /// Each becomes one photo, also when other processes do the same: between them the lock of its file decides, and in the end
    /// `use_upload` marks it in the photo's transaction. A bucket has no such lock: there it is left alone until it has been `quiet`.
    /// `isStart` says that the process has just started: what is here is left by an earlier one.
    package func publishArrived(isStart: Bool) async throws {
        let quiet = isStart && context.blobs.place == .folder ? .zero : Self.quiet
        var last: UploadID?
        repeat {
            let page = try await store.unpublishedUploads(
                after: last, quiet: quiet, age: context.limits.uploadAge, limit: 100)
            for upload in page where !Task.isCancelled { await publishArrived(upload) }
            last = page.last?.id
        } while last != nil && !Task.isCancelled
    }

    private func publishArrived(_ upload: Upload) async {
        do {
            // Before a request is disturbed that sends to it now.
            guard try await context.uploadFiles.bytes(of: upload.id.uuid) == upload.length else { return }
            let user = try await store.user(upload.owner)
            try await context.uploadLocks.work(on: upload.id, isCancellable: false) {
                let (file, _) = try await self.openFile(of: upload)
                defer { withExtendedLifetime(file) {} }
                guard try await self.settled(upload.id, user, nil).photo != nil else { return }
                self.context.logger.notice(
                    "an upload that was left is a photo now", ["upload": upload.id])
            }
        } catch {
            context.logger.warning(
                "an upload is no photo yet", ["upload": upload.id, "error": logText(of: error)])
        }
    }
}
