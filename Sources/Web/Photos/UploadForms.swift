internal import Actions
internal import Blobs
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// Files that a script of a page sends in parts, so that they go on after a break: JSON that says how many bytes are durable.
extension PageHandlers {
    var uploads: UploadActions { UploadActions(photos, respond: Self.postResponder) }

    /// `POST /new/uploads` with the `length` of a file in bytes: begins an upload.
    func beginUpload(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let length = form["length"].flatMap({ Int64($0) }), length > 0 else { throw PageProblem.unreadableForm }
        guard length <= actions.limits.fileBytes else {
            return uploadProblem(ActionError.uploadTooLarge(limit: actions.limits.fileBytes), caller)
        }
        var new = NewUpload(.ietf)
        new.length = length
        do {
            let begun = try await uploads.begin(
                new, by: caller.user, within: try await actions.reservation(for: caller.user), key: nil,
                requestID: request.id
            ) { _ in StoredResponse(status: HTTPStatus.created.code, fields: [], body: []) }
            guard case .new(let upload) = begun else { throw PageProblem.unreadableForm }
            return .json(
                ["upload": .string(upload.id.description), "offset": 0], status: .created,
                fields: ["Cache-Control": "no-store"])
        } catch let error as ActionError {
            return uploadProblem(error, caller)
        }
    }

    /// `GET /new/uploads/{id}`: how much of it is durable.
    func showUpload(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answeringUpload(request) { id, caller, action in
            Self.durable(try await uploads.current(id, of: caller.user, for: action).offset)
        }
    }

    /// `PATCH /new/uploads/{id}`: the next bytes, from `Upload-Offset` on. 409 tells where to go on.
    func appendToUpload(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let offset = request.fields["Upload-Offset"].flatMap({ Int64($0) }), offset >= 0 else {
            throw PageProblem.unreadableForm
        }
        return try await answeringUpload(request) { id, caller, action in
            let upload = try await store.upload(id, owner: caller.user.id)
            let bytes = request.body.declaredLength
            let part = UploadPart(
                at: offset, isFirst: false, isLast: bytes.map { offset + $0 == upload.length } ?? false, bytes: bytes,
                length: nil, checksum: nil, failsOnExcess: false
            ) {
                $0 is BodyError
            } progress: { _ in
            }
            do {
                let progress = try await uploads.append(part, to: id, by: caller.user, for: action) { use in
                    try await request.body.forEach(within: self.blobs.places, use)
                }
                return Self.durable(progress.offset)
            } catch let mismatch as UploadMismatch {
                return Self.durable(mismatch.offset, status: .conflict)
            }
        }
    }

    /// Answers for an upload of who has signed in, to a page of ours alone. No other site's request gets here: browsers ask before they
    /// send `PATCH` or a field of their own elsewhere (Fetch, section 4.8), and Pics does not agree.
    private func answeringUpload(
        _ request: HTTPRequest,
        _ answer: (UploadID, SignedInUser, ActionRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard isFromHere(request) else { throw PageProblem.foreignForm }
        guard let caller = try await signedIn(request) else { return .json([:], status: .unauthorized) }
        return try await answer(
            try request.identifier(), caller,
            ActionRequest(id: request.id) { [self] in
                guard try await signedIn(request) != nil else { throw PageProblem.foreignForm }
            })
    }

    private static func durable(_ bytes: Int64, status: HTTPStatus = .ok) -> HTTPResponse {
        .json(["offset": .int(bytes)], status: status, fields: ["Cache-Control": "no-store"])
    }

    private func uploadProblem(_ error: ActionError, _ caller: SignedInUser) -> HTTPResponse {
        let problem = management.problem(error)
        let sentence = [problem.title, problem.detail].compactMap(\.self).joined(separator: ". ")
        return .json(
            ["problem": .string(sentence)], status: problem.status, fields: ["Cache-Control": "no-store"])
    }
}
