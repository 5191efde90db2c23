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
            return uploadProblem(ActionError.uploadTooLarge(limit: actions.limits.fileBytes))
        }
        var new = NewUpload(.ietf)
        new.length = length
        do {
            let begun = try await uploads.begin(
                new, by: caller.user, within: try await actions.reservation(for: caller.user), key: nil,
                requestID: request.id
            ) { _ in StoredResponse(status: HTTPStatus.created.code, fields: [], body: []) }
            guard case .new(let upload) = begun else { throw PageProblem.unreadableForm }
            return .uncached(["upload": .string(upload.id.description), "offset": 0], .created)
        } catch let error as ActionError {
            return uploadProblem(error)
        }
    }

    /// `GET /new/uploads/{id}`: how much of it is durable.
    func showUpload(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let (_, offset) = try await uploads.current(
            try request.identifier(), of: caller.user, for: confirming(request))
        return Self.durable(offset)
    }

    /// `PATCH /new/uploads/{id}`: the next bytes, from `Upload-Offset` on; `Upload-Complete: ?1` says that they are the last. 409 tells
    /// where to go on.
    func appendToUpload(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        guard let offset = request.fields["Upload-Offset"].flatMap({ Int64($0) }), offset >= 0 else {
            throw PageProblem.unreadableForm
        }
        let part = UploadPart(
            at: offset, isFirst: false, isLast: request.fields["Upload-Complete"] == "?1",
            bytes: request.body.declaredLength, length: nil, checksum: nil, failsOnExcess: false
        ) {
            $0 is BodyError
        } progress: { _ in
        }
        do {
            let progress = try await uploads.append(
                part, to: try request.identifier(), by: caller.user, for: confirming(request)
            ) { use in
                try await request.body.forEach(within: self.blobs.places, use)
            }
            return Self.durable(progress.offset)
        } catch let mismatch as UploadMismatch {
            return Self.durable(mismatch.offset, .conflict)
        }
    }

    /// The request of an action, which is stopped where the session has ended meanwhile.
    func confirming(_ request: HTTPRequest) -> ActionRequest {
        ActionRequest(id: request.id) { [self] in
            guard try await signedIn(request) != nil else { throw PageProblem.foreignForm }
        }
    }

    private static func durable(_ bytes: Int64, _ status: HTTPStatus = .ok) -> HTTPResponse {
        .uncached(["offset": .int(bytes)], status)
    }

    private func uploadProblem(_ error: ActionError) -> HTTPResponse {
        let problem = management.problem(error)
        return .uncached(["problem": .string(problem.sentence)], problem.status)
    }
}
