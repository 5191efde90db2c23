internal import Blobs
package import Crypto
package import Domain
package import FoundationEssentials
internal import HTTP
internal import Logging
internal import Media
package import Store
internal import Submitters
internal import System

/// The things that are done with photos.
package struct PhotoActions: Sendable {
    package let context: ActionContext

    package init(_ context: ActionContext) { self.context = context }
}

/// A photo that is to be created, whichever protocol asked for it.
package struct PhotoCreation: Sendable {
    package let draft: PhotoDraft
    /// When it was asked for; nil for an upload in parts, which may take days.
    package let requestedAt: Date?
    /// Whether bytes that the user has a photo of are refused.
    package let refusesKnown: Bool
    package let key: IdempotencyKey?
    /// Writes the response that is kept under `key`.
    package let respond: PhotoResponder
    /// Nil when nobody waits for the photo.
    package let request: ActionRequest?
    /// What it has from elsewhere; nil for a new one.
    package let origin: PhotoOrigin?

    package init(
        _ draft: PhotoDraft, requestedAt: Date? = nil, refusesKnown: Bool = false, key: IdempotencyKey? = nil,
        from origin: PhotoOrigin? = nil, for request: ActionRequest?, respond: @escaping PhotoResponder
    ) {
        self.draft = draft
        self.requestedAt = requestedAt
        self.refusesKnown = refusesKnown
        self.key = key
        self.origin = origin
        self.request = request
        self.respond = respond
    }
}

/// The result of a creation.
package enum CreatedPhoto: Sendable {
    /// The photo of a request without an idempotency key.
    case photo(PhotoID)
    /// The response that is kept under the request's key, given now or before.
    case response(IdempotentResponse)
}

/// The bytes of a photo on their way. A photo that is not created from them leaves nothing.
package final class IncomingPhoto {
    private let writer: BlobWriter
    fileprivate let reservation: StorageReservation
    private let isReserved: Bool

    fileprivate init(_ writer: BlobWriter, _ reservation: StorageReservation, isReserved: Bool) {
        (self.writer, self.reservation, self.isReserved) = (writer, reservation, isReserved)
    }

    /// Takes further bytes, in order.
    ///
    /// - Throws: `ActionError.storageQuotaUsed`; `BlobError`.
    package func write(_ bytes: ArraySlice<UInt8>) async throws {
        if !isReserved { try reservation.reserve(Int64(bytes.count)) }
        try await writer.write(bytes)
    }

    /// Drops the bytes.
    package func abandon() async { await writer.abandon() }

    fileprivate var type: SniffedType {
        get throws(ActionError) { try SniffedType.demanded(of: writer.firstBytes) }
    }

    fileprivate func complete(expecting digest: SHA256Digest?) async throws(BlobError) -> ArrivedFile {
        let (file, path) = try await writer.complete(expecting: digest)
        return ArrivedFile(file: file, path: path, place: .written(writer))
    }
}

/// A file that has arrived and is no blob yet.
struct ArrivedFile {
    enum Place {
        case written(BlobWriter)
        case uploaded(UploadID)
    }

    /// Digest and size of the file, as it will be stored.
    let file: HashedFile
    /// The path of its bytes until then.
    let path: String
    let place: Place

    var upload: UploadID? {
        if case .uploaded(let id) = place { id } else { nil }
    }
}

extension SniffedType {
    fileprivate static func demanded(of firstBytes: [UInt8]) throws(ActionError) -> SniffedType {
        guard let type = SniffedType.of(firstBytes: firstBytes) else { throw .unsupportedMediaType }
        return type
    }
}

extension PhotoActions {
    /// Begins to take the bytes of a photo. Where their exact number is known, all of them are reserved at once.
    package func begin(_ reservation: StorageReservation, length: Int64? = nil) throws(ActionError) -> IncomingPhoto {
        if let length { try reservation.reserve(length) }
        return IncomingPhoto(
            context.blobs.begin(limit: context.limits.fileBytes), reservation, isReserved: length != nil)
    }

    /// Creates a post of photos whose bytes have arrived, in their order: stores it, and queues it for its recipients. The caption, and
    /// what else the draft says, is that of the first; the others are part of it.
    ///
    /// It returns when the files are synced under their final names and the transaction with photos, short links and submissions is
    /// committed. Nothing is left of a post that is refused.
    ///
    /// `digest` is that of the whole file, if the client announced it.
    ///
    /// - Throws: `ActionError`, `InvalidField`, `BlobError`, `MediaError`, `StoreError`, and what the request's `confirm` throws.
    package func create(
        _ incoming: [IncomingPhoto], expecting digest: SHA256Digest? = nil, _ creation: PhotoCreation, by user: User
    ) async throws -> CreatedPhoto {
        let draft = creation.draft
        var files: [ArrivedFile] = []
        let (recipients, companions): ([Recipient], [Photo])
        do {
            for photo in incoming { _ = try photo.type }
            recipients = try await self.recipients(for: draft, of: user)
            companions = try await self.companions(of: draft, of: user)
            for photo in incoming { files.append(try await photo.complete(expecting: digest)) }
        } catch {
            for photo in incoming { await photo.abandon() }
            throw error
        }
        let fingerprint = IdempotencyKey.fingerprint(files.map(\.file.digest.bytes) + [draft.json.serialized])
        if let kept = try await context.savedResponse(creation.key, fingerprint: fingerprint) { return .response(kept) }
        // Their reservation is held until the photos are stored.
        defer { withExtendedLifetime(incoming) {} }
        return try await create(
            files, creation, by: user, to: recipients, along: companions, fingerprint: fingerprint)
    }

    /// Refuses files that the user has a photo of.
    ///
    /// - Throws: `ActionError.knownPhoto`.
    package func refuseKnown(_ digests: [SHA256Digest], of user: User) async throws {
        let blobs = digests.map { BlobID($0) }
        guard let id = try await context.store.photo(ofAny: blobs, owner: user.id) else { return }
        throw ActionError.knownPhoto(id)
    }

    /// Creates a post of files that have arrived, once it is known that its request was not answered before.
    func create(
        _ files: [ArrivedFile], _ creation: PhotoCreation, by user: User, to recipients: [Recipient],
        along companions: [Photo], fingerprint: [UInt8]
    ) async throws -> CreatedPhoto {
        let draft = creation.draft
        guard files.count + companions.count <= PhotoDraft.mostPhotos else {
            throw InvalidField.invalid("#/photo", "A post may have \(PhotoDraft.mostPhotos) photos.")
        }
        guard draft.furtherAltTexts.count < files.count else {
            throw InvalidField.invalid("#/alt_text", "There are more texts than photos.")
        }
        guard draft.furtherRecipes.count < files.count else {
            throw InvalidField.invalid("#/recipe", "There are more recipes than photos.")
        }
        guard !draft.isDraft || draft.posted.isEmpty else {
            throw InvalidField.impossible("#/posted", "A draft has no posts. They are named once it is published.")
        }
        let posts = try await registered(draft.posted, besides: recipients, of: user)
        if creation.refusesKnown { try await refuseKnown(files.map(\.file.digest), of: user) }
        let zone = try await timeZone(of: user)
        let texts = try await texts(of: draft, of: user)
        let publishAt = try draft.scheduledAt?.publicationDate(in: zone, asked: creation.requestedAt, now: Date())
        var shown = draft
        // Until it is published the owner alone sees it. Posts that are out lead to its page already.
        let isPlanned = draft.isDraft || publishAt != nil && posts.isEmpty
        if isPlanned { shown.visibility = .private }
        var looked: [(type: SniffedType, facts: PictureFacts, taken: CameraTime?)] = []
        for (place, file) in files.enumerated() {
            let type = try SniffedType.demanded(of: file.file.firstBytes)
            let facts = try await context.media.working(for: user.id).probe(file.path)
            let taken = facts.takenAt.flatMap { CameraTime($0, in: zone) }
            looked.append((type, facts, creation.origin?.taken(at: place, byCamera: taken, in: zone) ?? taken))
        }
        // One that was published elsewhere stands where it stood there.
        let publishedAt = creation.origin?.publication(takenAt: looked.first?.taken?.date, now: Date())
        var photos: [NewPhoto] = []
        let ids = PhotoID.distinct(count: files.count, at: publishedAt)
        for (place, (file, (type, facts, taken))) in zip(files, looked).enumerated() {
            let isFirst = place == 0
            let recipe = try draft.recipe(ofPhoto: place)?.recipe(for: facts)
            if recipe != nil, facts.kind == .video { throw InvalidField.recipeOfVideo }
            if facts.kind == .video, files.count > 1 || !companions.isEmpty { throw InvalidField.companionsOfVideo }
            var photo = NewPhoto(
                file.file, type, facts, isFirst ? shown : shown.ofPart(place), recipe, id: ids[place], taken: taken,
                companions: isFirst ? companions.map(\.id) : [], owner: user, upload: file.upload)
            photo.publishedAt = publishedAt
            photos.append(photo)
        }
        try await creation.request?.confirm()
        // Held until the photos are stored: others that come at once do not take the same room. A request that has brought the
        // bytes itself holds its reservation already.
        var reservation: StorageReservation?
        if files.contains(where: { $0.upload != nil }) { reservation = try await context.reservation(for: user) }
        for file in files {
            try reservation?.reserve(file.file.bytes)
            switch file.place {
            case .written(let writer): try await writer.finish()
            case .uploaded(let upload): try await context.uploadFiles.install(upload.uuid, as: file.file)
            }
        }
        defer { withExtendedLifetime(reservation) {} }
        var post = photos[0]
        post.parts = Array(photos.dropFirst())
        post.origin = creation.origin
        if draft.isDraft {
            post.plan = Photo.Plan(visibility: draft.visibility, choices: draft.choices)
        } else if isPlanned, draft.visibility != .private {
            post.plan = Photo.Plan(visibility: draft.visibility, publishAt: publishAt)
        }
        return try await store(
            post, creation, by: user, to: draft.isDraft ? [] : recipients, registering: posts, along: companions,
            texts: texts, in: zone, scheduledAt: publishAt, fingerprint: fingerprint)
    }

    /// Stores a photo whose blobs are in place, queues it for its recipients, and takes note of its posts. The user's days begin in `zone`.
    func store(
        _ photo: NewPhoto, _ creation: PhotoCreation, by user: User, to recipients: [Recipient],
        registering posts: [RegisteredPost] = [], along companions: [Photo] = [], texts: [AccountID: String] = [:],
        in zone: Zone, scheduledAt: Date? = nil,
        fingerprint: [UInt8]
    ) async throws -> CreatedPhoto {
        var keeping: ((PhotoView, [Submission]) -> IdempotentResponse)?
        if let key = creation.key {
            keeping = { key.keeping(creation.respond($0, $1), fingerprint: fingerprint) }
        }
        var photo = photo
        var attempts = 1
        var submissions: [NewSubmission]
        let kept: IdempotentResponse?
        while true {
            let posted = PostedPhoto(photo, along: companions.map(\.bytes))
            submissions =
                self.submissions(of: posted, to: recipients, texts: texts, in: zone, scheduledAt)
                + self.submissions(of: posted, registering: posts, texts: texts, in: zone)
            do {
                kept = try await context.store.create(
                    photo, submissions: submissions, storageQuota: context.limits.storage,
                    response: keeping)
                break
            } catch let error {
                if error.isConflict(of: "short_links_pkey"), attempts < 3 {
                    // Another photo has one of the codes already: one of 58^8 at random.
                    attempts += 1
                    photo.code = .make()
                    for place in photo.parts.indices { photo.parts[place].code = .make() }
                    continue
                }
                if error.isConflict(of: "users_storage_quota") { throw ActionError.storageQuotaUsed }
                // The same request was answered by another process meanwhile.
                let isUsed = error.isConflict(of: "uploads_used_once")
                guard isUsed || error.isConflict(of: "idempotency_keys_pkey") else { throw error }
                guard let kept = try await context.savedResponse(creation.key, fingerprint: fingerprint) else {
                    throw isUsed ? error : ActionError.requestUnderWay
                }
                return .response(kept)
            }
        }
        context.wakeWorkers()
        for each in [photo] + photo.parts {
            if let upload = each.upload { try await context.uploadFiles.remove(upload.uuid) }
            guard each.hasPicture else { continue }
            context.pictures.expectSoon(PictureSource(blob: each.blob, recipe: each.recipe), of: user.id)
        }
        context.logger.info(
            "photo stored",
            [
                "photo": photo.id, "code": photo.code, "bytes": photo.bytes, "type": photo.mediaType,
                "submissions": submissions.map(\.id.description).joined(separator: ","),
                "request": creation.request?.id,
            ])
        return kept.map { .response($0) } ?? .photo(photo.id)
    }

    /// A photo's submissions, with the texts that its short code gives them; `texts` are those of single accounts.
    func submissions(
        of photo: PostedPhoto, to recipients: [Recipient], texts: [AccountID: String] = [:], in zone: Zone,
        _ scheduledAt: Date?
    ) -> [NewSubmission] {
        let plans = plan(
            photo.caption, texts: texts, labels: photo.labels, at: photo.moment, in: zone, code: photo.code,
            for: recipients.filter { $0.isSent(photo.kind) })
        return plans.map { recipient, plan in
            NewSubmission(
                id: .make(), connection: recipient.connection.id, plan: plan,
                bytes: photo.bytes.prefix(recipient.maximumPictures).reduce(0, +),
                maximumAttempts: recipient.submitter.description.retry.maximumAttempts,
                maximumAge: recipient.submitter.description.retry.maximumAge,
                isCounted: recipient.submitter is any EngagementSubmitter, scheduledAt: scheduledAt,
                ownText: texts[recipient.connection.id])
        }
    }
}

/// The facts of a photo that decide its posts: the words, and the sizes of its files in bytes.
struct PostedPhoto {
    let kind: Photo.Kind
    let caption: String
    /// When it was taken, or else is posted.
    let moment: Date
    let code: ShortCode
    let labels: ContentLabels
    /// Of the photo itself, of its parts, and of those that go along.
    let bytes: [Int64]

    init(_ photo: NewPhoto, along companions: [Int64]) {
        (kind, caption, moment, code) = (photo.kind, photo.caption, photo.takenAt ?? Date(), photo.code)
        labels = photo.labels
        bytes = [photo.bytes] + photo.parts.map(\.bytes) + companions
    }

    init(_ photo: Photo, along companions: [Int64]) {
        (kind, caption, moment, code) = (photo.kind, photo.caption, photo.moment, photo.code)
        labels = photo.labels
        bytes = [photo.bytes] + companions
    }
}

extension NewPhoto {
    fileprivate init(
        _ stored: HashedFile, _ type: SniffedType, _ facts: PictureFacts, _ draft: PhotoDraft, _ recipe: Recipe?,
        id: PhotoID, taken: CameraTime?, companions: [PhotoID], owner: User, upload: UploadID?
    ) {
        var exif = JSONObject()
        for (name, value) in facts.exif.sorted(by: { $0.key < $1.key }) { exif[name] = .string(value) }
        self.init(
            id: id, owner: owner.id, code: .make(), blob: BlobID(stored.digest), bytes: stored.bytes,
            mediaType: type.mediaType,
            kind: facts.kind == .video ? .video : .photo, width: facts.width, height: facts.height,
            video: facts.video.map { VideoFacts($0, duration: facts.duration) },
            takenAt: taken?.date,
            position: draft.position
                ?? facts.position.flatMap { Position(latitude: $0.latitude, longitude: $0.longitude) },
            exif: String(decoding: JSONValue(exif).serialized, as: UTF8.self), caption: draft.caption,
            altText: draft.altText, visibility: draft.visibility, recipe: recipe,
            companions: companions, album: draft.album)
        self.takenOffset = taken?.offset
        self.upload = upload
        self.labels = draft.labels
    }
}

extension VideoFacts {
    fileprivate init(_ video: PictureFacts.Video, duration: Double?) {
        self.init(
            duration: duration, rotation: video.rotation, frameRate: video.frameRate,
            pictureFormat: video.pictureFormat, soundFormat: video.soundFormat, playsFromStart: video.playsFromStart)
    }
}
