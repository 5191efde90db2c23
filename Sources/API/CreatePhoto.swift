internal import Blobs
internal import Crypto
package import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
package import HTTPServer
internal import Logging
internal import Media
internal import Store
internal import Submitters

extension API {
    /// `POST /v1/photos`: stores a photo and queues it for the owner's services.
    ///
    /// 201 is answered when the file is synced under its final name and the transaction with photo, short link and
    /// submissions is committed.
    package func createPhoto(_ request: Request, _ caller: Caller) async throws -> Response {
        let type = request.fields["Content-Type"].flatMap { MediaType($0) }
        let isJSON = type?.essence == "application/json"
        // Some clients say of every upload that it is whole; a form is no file that could go on.
        if !isJSON, type?.type != "multipart", Self.isResumable(request) {
            return try await createResumablePhoto(request, caller)
        }
        return try await once(request, of: caller.user.id) { key in
            if isJSON { return try await createPhotoOfUpload(request, caller, key) }
            try await refuseKnown(request, caller.user)
            let share = try await share(of: caller)
            defer { withExtendedLifetime(share) {} }
            let source = try await receivePhoto(request, caller, share)
            return try await publish(source, caller.user, request, key)
        }
    }

    /// Whether the client speaks Resumable Uploads for HTTP; a field of the wrong type is none.
    private static func isResumable(_ request: Request) -> Bool {
        ["Upload-Complete", "Upload-Incomplete"].contains { request.fields[$0].flatMap(structuredBoolean) != nil }
    }

    /// A file that has arrived and is no blob yet, and what is to become of it.
    struct Source {
        enum Place {
            case written(BlobWriter)
            case uploaded(UploadID)
        }

        /// Digest and size of the file, as it will be stored.
        let file: StoredBlob
        /// The path of its bytes until then.
        let path: String
        let place: Place
        let draft: PhotoDraft
        /// Where it goes, if that was looked up before.
        var targets: [Target]?
        /// What goes along, likewise.
        var companions: [Photo]?
        /// When somebody asked for it; nil for an upload, which may take days.
        var asked: Date?

        var upload: UploadID? {
            if case .uploaded(let id) = place { id } else { nil }
        }
    }

    private func receivePhoto(
        _ request: Request, _ caller: Caller, _ share: IncomingBytes.Share
    ) async throws -> Source {
        let (file, draft) = try await receive(request, share)
        do {
            _ = try Self.type(of: file.firstBytes)
            let targets = try await targets(for: draft, of: caller.user)
            let companions = try await companions(of: draft, of: caller.user)
            let (blob, path) = try await file.complete(expecting: try announcedFile(request))
            return Source(
                file: blob, path: path, place: .written(file), draft: draft, targets: targets, companions: companions,
                asked: request.arrival)
        } catch {
            await file.abandon()
            throw error
        }
    }

    /// The digest of a file that is the whole body, if the client announces it.
    private func announcedFile(_ request: Request) throws(RequestProblem) -> SHA256Digest? {
        guard request.fields["Content-Type"].flatMap({ MediaType($0) })?.type != "multipart" else { return nil }
        for field in ["Repr-Digest", "Content-Digest"] {
            if let bytes = try Self.announcedDigest(request, field) { return SHA256Digest(bytes: bytes) }
        }
        return nil
    }

    private static func type(of firstBytes: [UInt8]) throws(RequestProblem) -> SniffedType {
        guard let type = SniffedType.of(firstBytes: firstBytes) else {
            throw .unsupportedType(
                "Pics takes JPEG, PNG, WebP, GIF, HEIC, MP4 and QuickTime, and decides by what is in the file.")
        }
        return type
    }

    /// Refuses bytes that the caller has a photo of, when `If-None-Match` names their SHA-256: before they are sent.
    private func refuseKnown(_ request: Request, _ user: User) async throws {
        guard let field = request.fields["If-None-Match"], field != "*" else { return }
        for part in field.split(separator: ",") {
            let text = part.trimmingCharacters(in: .whitespaces)
            guard let digest = EntityTag(parsing: text).flatMap({ SHA256Digest(hex: $0.opaque) }) else {
                throw Self.invalid("If-None-Match", "It must be the SHA-256 of the file in quotes, in hexadecimal.")
            }
            try await refuseKnown(digest, user)
        }
    }

    private func refuseKnown(_ digest: SHA256Digest, _ user: User) async throws {
        guard let id = try await store.photo(of: BlobID(digest), owner: user.id) else { return }
        throw RequestProblem.knownPhoto(id, at: "\(addresses.base)/v1/photos/\(id)")
    }

    // MARK: From an upload

    /// `POST /v1/photos` as JSON: makes a photo of a finished upload.
    private func createPhotoOfUpload(
        _ request: Request, _ caller: Caller, _ key: IdempotencyKey?
    ) async throws -> Response {
        let body = try await json(request)
        let (id, draft) = try PhotoDraft.ofUpload(body, request.query, limit: limits.textBytes)
        let asked = [Array("upload \(id)".utf8), draft.json.serialized]
        if let kept = try await keptAnswer(key, to: asked) { return kept }
        return try await desk.work(on: id, isCancellable: false) {
            let upload: Upload
            do throws(StoreError) { upload = try await self.store.upload(id, owner: caller.user.id) } catch {
                guard error == .notFound else { throw error }
                throw RequestProblem.invalid("#/upload", "There is no such upload.", status: .unprocessableContent)
            }
            guard upload.photo == nil else { throw RequestProblem.usedUpload }
            guard upload.part != .partial, try await self.hasArrived(upload) else {
                throw RequestProblem.invalid("#/upload", "The upload is not complete.", status: .conflict)
            }
            let companions = try await self.companions(of: draft, of: caller.user)
            var source = try await self.source(of: upload, draft, companions: companions)
            source.asked = request.arrival
            return try await self.publish(source, caller.user, request, key, asked: asked)
        }
    }

    /// The photo of an upload that said at its begin what is to become of it; made now, or made before. There is no request
    /// when nobody asks any more.
    func publish(_ upload: Upload, _ user: User, _ request: Request?) async throws -> Response {
        if upload.photo == nil {
            let draft = try StoredDraft(upload.draft ?? "{}")
            do {
                let source = try await source(of: upload, draft.photo)
                let key = draft.key.map { IdempotencyKey($0, of: user.id) }
                let answer = try await publish(source, user, request, key)
                // The key's photo was made before; nobody needs these bytes any more.
                if try await store.upload(upload.id, owner: user.id).photo == nil {
                    try await forget(upload.id, of: user)
                }
                return answer
            } catch let error {
                guard error.isConflict(of: "uploads_used_once") else {
                    try await give(up: upload, for: error)
                    throw error
                }
                // Another request was faster.
            }
        }
        guard let photo = try await store.upload(upload.id, owner: user.id).photo else { throw StoreError.gone }
        return try await answer(photo, for: user.id, method: .post, fields: HTTPFields(), status: .created)
    }

    /// An upload whose content can never be a photo has failed; its bytes go.
    private func give(up upload: Upload, for error: any Error) async throws {
        let problem = ProblemDetails(error)
        guard [.unsupportedMediaType, .unprocessableContent].contains(problem.status) else { return }
        try await fail(upload.id, problem.detail ?? problem.title)
    }

    /// The file of an upload. One that is not what was announced has failed; its bytes go.
    private func source(
        of upload: Upload, _ draft: PhotoDraft, companions: [Photo]? = nil
    ) async throws -> Source {
        do {
            let file = try await uploads.examine(
                upload.id.uuid, expecting: upload.sha256.flatMap { SHA256Digest(bytes: $0) })
            return Source(
                file: file, path: uploads.path(of: upload.id.uuid), place: .uploaded(upload.id), draft: draft,
                companions: companions)
        } catch let error {
            if case .system(_, ENOENT) = error { throw StoreError.gone }
            guard case .unexpectedDigest = error else { throw error }
            try await fail(upload.id, "The bytes are not those that were announced.")
            throw RequestProblem.digestMismatch
        }
    }

    /// Ends an upload for good. Its bytes go first, so that no failed upload ever has any.
    func fail(_ upload: UploadID, _ problem: String) async throws {
        try await uploads.remove(upload.uuid)
        try await store.fail(upload, problem)
    }

    // MARK: Storing

    private func publish(
        _ source: Source, _ user: User, _ request: Request?, _ key: IdempotencyKey?, asked: [[UInt8]]? = nil
    ) async throws -> Response {
        let asked = asked ?? [source.file.digest.bytes, source.draft.json.serialized]
        if let kept = try await keptAnswer(key, to: asked) { return kept }
        if request?.fields.contains("If-None-Match") == true { try await refuseKnown(source.file.digest, user) }
        let type = try Self.type(of: source.file.firstBytes)
        var targets = source.targets ?? []
        if source.targets == nil { targets = try await self.targets(for: source.draft, of: user) }
        var companions = source.companions ?? []
        if source.companions == nil { companions = try await companionsLeft(of: source.draft, of: user) }
        // Looked at before it is stored: what is refused leaves nothing behind.
        let facts = try await media.working(for: user.id).probe(source.path)
        let zone = try await timeZone(of: user)
        let recipe = try source.draft.recipe?.recipe(for: facts)
        if recipe != nil, facts.kind == .video { throw RequestProblem.recipeOfVideo }
        if !companions.isEmpty, facts.kind == .video { throw RequestProblem.companionsOfVideo }
        let photo = describe(source.file, type, facts, source.draft, recipe, companions.map(\.id), user, zone)
        let scheduledAt = try source.draft.scheduledDate(in: zone, asked: source.asked, now: Date())
        if let request { try await demandToken(of: request) }
        // Held until the photo is stored: others that come at once do not take the same room. A request that has brought the bytes
        // itself holds its share already.
        var share: IncomingBytes.Share?
        if case .uploaded = source.place { share = try await self.share(of: user) }
        try share?.take(source.file.bytes)
        defer { withExtendedLifetime(share) {} }
        switch source.place {
        case .written(let file): try await file.finish()
        case .uploaded(let upload): try await uploads.install(upload.uuid, as: source.file)
        }
        return try await store(
            photo, along: companions, to: targets, of: user, in: zone, for: request, upload: source.upload,
            scheduledAt: scheduledAt, key, asked)
    }

    /// Stores a photo whose blob is in place, queues it for the targets, and answers 201 with it.
    ///
    /// The user's days begin in `zone`. `asked` is what was asked for under `key`, if the request has one.
    func store(
        _ photo: NewPhoto, along companions: [Photo] = [], to targets: [Target], of user: User, in zone: TimeZone,
        for request: Request?, upload: UploadID? = nil, scheduledAt: Date? = nil, _ key: IdempotencyKey? = nil,
        _ asked: [[UInt8]] = []
    ) async throws -> Response {
        var keeping: ((PhotoView, [Submission]) -> KeptAnswer)?
        if let key {
            keeping = { view, submissions in
                let answer = self.answer(
                    view, submissions, for: user.id, method: .post, fields: HTTPFields(), status: .created)
                return key.keeping(answer, to: asked)
            }
        }
        var photo = photo
        var tries = 1
        var submissions: [NewSubmission]
        let given: KeptAnswer?
        while true {
            submissions = self.submissions(of: photo, along: companions, to: targets, in: zone, scheduledAt)
            do {
                given = try await store.create(
                    photo, submissions: submissions, upload: upload, storageQuota: limits.storage, answer: keeping)
                break
            } catch let error {
                if error.isConflict(of: "short_links_pkey"), tries < 3 {
                    // Another photo has the code already: one of 58^8 at random.
                    tries += 1
                    photo.code = .make()
                    continue
                }
                if error.isConflict(of: "users_storage_quota") { throw RequestProblem.storageQuota }
                guard error.isConflict(of: "idempotency_keys_pkey") else { throw error }
                guard let kept = try await keptAnswer(key, to: asked) else { throw RequestProblem.stillRunning }
                return kept
            }
        }
        wakeWorkers()
        if let upload { try await uploads.remove(upload.uuid) }
        expectPictures(user.id, PictureSource(blob: photo.blob, recipe: photo.recipe))
        logger.info(
            "photo stored",
            [
                "photo": photo.id, "code": photo.code, "bytes": photo.bytes, "type": photo.mediaType,
                "submissions": submissions.map(\.id.description).joined(separator: ","), "request": request?.id,
            ])
        if let given { return Response(given) }
        return try await answer(photo.id, for: user.id, method: .post, fields: HTTPFields(), status: .created)
    }

    /// A photo's submissions, with the texts that its short code gives them.
    private func submissions(
        of photo: NewPhoto, along companions: [Photo], to targets: [Target], in zone: TimeZone, _ scheduledAt: Date?
    ) -> [NewSubmission] {
        let plans = plan(photo.caption, at: photo.takenAt ?? Date(), in: zone, code: photo.code, for: targets)
        return plans.map { target, plan in
            NewSubmission(
                id: .make(), connection: target.connection.id, plan: plan,
                bytes: companions.prefix(target.maximumPictures - 1).reduce(photo.bytes) { $0 + $1.bytes },
                maximumAttempts: target.submitter.description.retry.maximumAttempts,
                maximumAge: target.submitter.description.retry.maximumAge,
                isCounted: target.submitter is any EngagementSubmitter, scheduledAt: scheduledAt)
        }
    }

    private func describe(
        _ stored: StoredBlob, _ type: SniffedType, _ facts: PictureFacts, _ draft: PhotoDraft, _ recipe: Recipe?,
        _ companions: [PhotoID], _ owner: User, _ zone: TimeZone
    ) -> NewPhoto {
        let exif = JSONObject(facts.exif.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        return NewPhoto(
            id: .make(), owner: owner.id, code: .make(), blob: BlobID(stored.digest), bytes: stored.bytes,
            mediaType: type.mediaType,
            kind: facts.kind == .video ? .video : .photo, width: facts.width, height: facts.height,
            video: facts.video.map { VideoFacts($0, duration: facts.duration) },
            takenAt: facts.takenAt.flatMap { CameraTime.date($0, in: zone) },
            position: draft.position
                ?? facts.position.flatMap { Position(latitude: $0.latitude, longitude: $0.longitude) },
            exif: String(decoding: JSONValue(exif).serialized, as: UTF8.self), caption: draft.caption,
            altText: draft.altText, visibility: draft.visibility, recipe: recipe,
            companions: companions, album: draft.album)
    }
}

extension VideoFacts {
    fileprivate init(_ video: PictureFacts.Video, duration: Double?) {
        self.init(
            duration: duration, rotation: video.rotation, frameRate: video.frameRate,
            pictureFormat: video.pictureFormat, soundFormat: video.soundFormat, playsFromStart: video.playsFromStart)
    }
}

extension Request {
    /// When its head had arrived, on the wall clock.
    fileprivate var arrival: Date { Date().addingTimeInterval(-((Moment.now - receivedAt) / .seconds(1))) }
}
