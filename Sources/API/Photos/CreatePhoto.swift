internal import Actions
internal import Crypto
package import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Store
internal import System

extension APIHandlers {
    /// `POST /v1/photos`: stores a photo and queues it for the owner's services.
    ///
    /// 201 is answered when the photo is durable and committed with its submissions.
    package func createPhoto(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let type = request.fields["Content-Type"].flatMap { MediaType($0) }
        let isJSON = type?.essence == "application/json"
        // Some clients say of every upload that it is whole; a form is no file that could go on.
        if !isJSON, type?.type != "multipart", Self.isResumable(request) {
            return try await createResumablePhoto(request, caller)
        }
        let key = try idempotencyKey(of: request, caller.user.id)
        let created: CreatedPhoto
        do {
            created = try await actions.once(key) { try await createPhoto(request, caller, key, isJSON: isJSON) }
        } catch ActionError.knownPhoto(let id) {
            throw RequestProblem.knownPhoto(id, at: "\(addresses.base)/v1/photos/\(id)")
        }
        return try await response(created, for: caller.user)
    }

    private func createPhoto(
        _ request: HTTPRequest, _ caller: Caller, _ key: IdempotencyKey?, isJSON: Bool
    ) async throws -> CreatedPhoto {
        if isJSON {
            let body = try await json(request)
            let (ids, draft) = try PhotoDraft.ofUploads(body, request.query, limit: limits.textBytes)
            let creation = creation(draft, request, key)
            return ids.isEmpty
                ? try await photos.createWithoutPicture(creation, by: caller.user)
                : try await uploads.createPhoto(of: ids, creation, by: caller.user)
        }
        try await refuseKnown(request, caller.user)
        let digest = try Self.announcedFile(request)
        let (incoming, draft) = try await receive(request, try await actions.reservation(for: caller))
        return try await photos.create(incoming, expecting: digest, creation(draft, request, key), by: caller.user)
    }

    /// Whether the client speaks Resumable Uploads for HTTP; a field of the wrong type is none.
    private static func isResumable(_ request: HTTPRequest) -> Bool {
        ["Upload-Complete", "Upload-Incomplete"].contains { request.fields[$0].flatMap(structuredBoolean) != nil }
    }

    private func creation(_ draft: PhotoDraft, _ request: HTTPRequest, _ key: IdempotencyKey?) -> PhotoCreation {
        PhotoCreation(
            draft, requestedAt: request.arrival, refusesKnown: request.fields.contains("If-None-Match"), key: key,
            for: action(request), respond: responder)
    }

    /// The digest of a file that is the whole body, if the client announces it.
    private static func announcedFile(_ request: HTTPRequest) throws(RequestProblem) -> SHA256Digest? {
        guard request.fields["Content-Type"].flatMap({ MediaType($0) })?.type != "multipart" else { return nil }
        for field in ["Repr-Digest", "Content-Digest"] {
            if let bytes = try announcedDigest(request, field) { return SHA256Digest(bytes: bytes) }
        }
        return nil
    }

    /// The entity tags that `If-None-Match` may name here.
    private static let mostKnownDigests = 10

    /// Refuses bytes that the caller has a photo of, when `If-None-Match` names their SHA-256: before they are sent.
    private func refuseKnown(_ request: HTTPRequest, _ user: User) async throws {
        guard let field = request.fields["If-None-Match"], field != "*" else { return }
        let parts = field.split(separator: ",")
        guard parts.count <= Self.mostKnownDigests else {
            throw Self.invalid("If-None-Match", "It may name \(Self.mostKnownDigests) files.")
        }
        let digests = try parts.map { part in
            let text = part.trimmedOfSpaces
            guard let digest = EntityTag(parsing: text).flatMap({ SHA256Digest(hex: $0.opaque) }) else {
                throw Self.invalid("If-None-Match", "It must be the SHA-256 of the file in quotes, in hexadecimal.")
            }
            return digest
        }
        try await photos.refuseKnown(digests, of: user)
    }

    // MARK: Responses

    /// The request as actions know it.
    func action(_ request: HTTPRequest) -> ActionRequest {
        ActionRequest(id: request.id) { [self] in try await demandToken(of: request) }
    }

    /// Writes the response to a creation.
    var responder: PhotoResponder {
        { view, submissions in
            StoredResponse(
                self.response(
                    ReadPhoto(view: view, submissions: submissions), for: view.photo.owner, method: .post,
                    fields: HTTPFields(), status: .created))
        }
    }

    /// The response to a creation.
    func response(_ created: CreatedPhoto, for user: User) async throws -> HTTPResponse {
        switch created {
        case .response(let kept): HTTPResponse(kept)
        case .photo(let id):
            try await response(id, for: user.id, method: .post, fields: HTTPFields(), status: .created)
        }
    }
}

extension HTTPRequest {
    /// When its head had arrived, on the wall clock.
    fileprivate var arrival: Date { Date().addingTimeInterval(-((Moment.now - receivedAt) / .seconds(1))) }
}
