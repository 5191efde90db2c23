internal import Blobs
internal import Crypto
package import Domain
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
        let (file, draft) = try await receive(request)
        let stored: StoredBlob
        let targets: [Target]
        let type: SniffedType
        do {
            guard let sniffed = SniffedType.of(firstBytes: file.firstBytes) else {
                throw RequestProblem.unsupportedType(
                    "Pics takes JPEG, PNG, WebP, GIF, HEIC, MP4 and QuickTime, and decides by what is in the file.")
            }
            type = sniffed
            targets = try await self.targets(for: draft, of: caller.user)
            stored = try await file.finish()
        } catch {
            await file.abandon()
            throw error
        }
        let facts = try await media.probe(blobs.path(of: stored.digest))
        let recipe = try draft.recipe?.recipe(for: facts)
        if recipe != nil, facts.kind == .video { throw RequestProblem.recipeOfVideo }
        let zone = try await timeZone(of: caller.user)
        let photo = try describe(stored, type, facts, draft, recipe, caller.user, zone)
        return try await store(photo, to: targets, of: caller.user, for: request)
    }

    /// Stores a photo whose blob is in place, queues it for the targets, and answers 201 with it.
    func store(
        _ photo: NewPhoto, to targets: [Target], of user: User, for request: Request
    ) async throws -> Response {
        let zone = try await timeZone(of: user)
        let plans = plan(photo.caption, at: photo.takenAt ?? Date(), in: zone, code: photo.code, for: targets)
        let submissions = plans.map { target, plan in
            NewSubmission(
                id: .make(), connection: target.connection.id, plan: plan, bytes: photo.bytes,
                maximumAttempts: target.submitter.description.retry.maximumAttempts,
                maximumAge: target.submitter.description.retry.maximumAge)
        }
        try await store.create(photo, submissions: submissions)
        wakeWorkers()
        if photo.kind == .photo { expectPictures(PictureSource(blob: photo.blob, recipe: photo.recipe)) }
        logger.info(
            "photo stored",
            [
                "photo": photo.id, "code": photo.code, "bytes": photo.bytes, "type": photo.mediaType,
                "submissions": submissions.map(\.id.description).joined(separator: ","), "request": request.id,
            ])
        return try await answer(photo.id, for: user.id, method: .post, fields: HTTPFields(), status: .created)
    }

    private func describe(
        _ stored: StoredBlob, _ type: SniffedType, _ facts: PictureFacts, _ draft: PhotoDraft, _ recipe: Recipe?,
        _ owner: User, _ zone: TimeZone
    ) throws -> NewPhoto {
        guard let blob = BlobID(stored.digest.bytes) else { throw StoreError.notFound }
        let exif = JSONObject(facts.exif.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        return NewPhoto(
            id: .make(), owner: owner.id, code: .make(), blob: blob, bytes: stored.bytes, mediaType: type.mediaType,
            kind: facts.kind == .video ? .video : .photo, width: facts.width, height: facts.height,
            takenAt: facts.takenAt.flatMap { CameraTime.date($0, in: zone) },
            position: draft.position
                ?? facts.position.flatMap { Position(latitude: $0.latitude, longitude: $0.longitude) },
            exif: String(decoding: JSONValue(exif).serialized, as: UTF8.self), caption: draft.caption,
            altText: draft.altText, visibility: draft.visibility, recipe: recipe)
    }
}
