internal import Actions
internal import Crypto
package import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Logging
internal import Store

extension APIHandlers {
    /// `POST /v1/uploads`: begins an upload, and takes the first part if there is one.
    package func createUpload(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await answering(request, creates: true) { uploadProtocol in
            let key = try idempotencyKey(of: request, caller.user.id)
            return try await actions.once(key) {
                var (new, metadata) = try describe(request, uploadProtocol)
                if place(of: request).whole == nil, let draft = try draft(of: request, metadata) {
                    _ = try await photos.companions(of: draft, of: caller.user)
                    new.draft = StoredDraft(photo: draft)
                }
                return try await begin(new, request, caller, uploadProtocol, key)
            }
        }
    }

    /// `POST /v1/photos` with `Upload-Complete`: the same, and the response to the last part is the photo's.
    func createResumablePhoto(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await answering(request, madeBy: .ietf, creates: true) { uploadProtocol in
            var (new, _) = try describe(request, uploadProtocol)
            var draft = StoredDraft(photo: try draft(of: request, nil) ?? PhotoDraft())
            _ = try await photos.companions(of: draft.photo, of: caller.user)
            draft.key = try idempotencyKey(of: request, caller.user.id)?.text
            new.draft = draft
            return try await begin(new, request, caller, uploadProtocol, nil)
        }
    }

    /// Reads what a client says of an upload that begins.
    private func describe(
        _ request: HTTPRequest, _ uploadProtocol: UploadProtocol
    ) throws -> (upload: NewUpload, metadata: TusMetadata?) {
        var new = NewUpload(uploadProtocol.kind)
        var metadata: TusMetadata?
        if let field = request.fields["Upload-Length"] {
            new.length = uploadProtocol.count(field)
            // A field of the wrong type is none for one protocol, and wrong for the other.
            if new.length == nil, uploadProtocol == .tus { throw Self.invalid("Upload-Length", "It must be a number.") }
        }
        if uploadProtocol == .tus {
            metadata = try readTus(request, &new)
        } else {
            try readIETF(request, uploadProtocol, &new)
        }
        if new.fileName?.utf8.contains(0) == true { new.fileName = nil }
        guard new.length ?? 0 <= limits.fileBytes else { throw RequestProblem.tooLarge(limit: limits.fileBytes) }
        return (new, metadata)
    }

    private func readTus(_ request: HTTPRequest, _ new: inout NewUpload) throws -> TusMetadata? {
        let isDeferred = request.fields.contains("Upload-Defer-Length")
        if isDeferred, request.fields["Upload-Defer-Length"] != "1" {
            throw Self.invalid("Upload-Defer-Length", "It can only be 1.")
        }
        if let text = request.fields["Upload-Concat"] {
            guard let concat = TusConcat(text) else { throw Self.invalid("Upload-Concat", "It cannot be read.") }
            new.concat = text
            switch concat {
            case .partial: new.part = .partial
            case .final(let names):
                new.part = .final
                new.parts = try names.map { name in
                    guard let part = UploadID(name) else {
                        throw Self.invalid("Upload-Concat", "It names no upload.")
                    }
                    return part
                }
            }
        }
        if new.part == .final {
            guard new.length == nil, !isDeferred else {
                throw Self.invalid("Upload-Length", "It is that of the parts.")
            }
        } else if (new.length == nil) != isDeferred {
            throw Self.invalid("Upload-Length", "Send either this or Upload-Defer-Length.")
        }
        var metadata: TusMetadata?
        if let text = request.fields["Upload-Metadata"] {
            metadata = TusMetadata(text)
            guard let metadata else { throw Self.invalid("Upload-Metadata", "It cannot be read.") }
            new.metadata = text
            new.fileName = metadata["filename", "name"]
            new.mediaType = metadata["filetype", "type"]
        }
        if request.body.declaredLength != 0, !Self.isPart(request, .tus) {
            throw RequestProblem.unsupportedType("A first part comes as application/offset+octet-stream.")
        }
        return metadata
    }

    private func readIETF(_ request: HTTPRequest, _ uploadProtocol: UploadProtocol, _ new: inout NewUpload) throws {
        guard let completes = uploadProtocol.completes(request) else {
            throw Self.invalid("Upload-Complete", "It must be ?0 or ?1.")
        }
        if completes, let declared = request.body.declaredLength {
            guard new.length == nil || new.length == declared else { throw RequestProblem.inconsistentLength }
            new.length = declared
        }
        new.mediaType = request.fields["Content-Type"]
        new.fileName = request.fields["Content-Disposition"].flatMap { ContentDisposition($0)?.filename }
        new.sha256 = try Self.announcedDigest(request, "Repr-Digest")
    }

    static func invalid(_ field: String, _ detail: String) -> RequestProblem { .invalid("#/\(field)", detail) }

    /// Whether the body is a part of an upload, by its type.
    static func isPart(_ request: HTTPRequest, _ uploadProtocol: UploadProtocol) -> Bool {
        let type = request.fields["Content-Type"].flatMap { MediaType($0) }?.essence
        switch uploadProtocol {
        case .tus: return type == "application/offset+octet-stream"
        case .ietf(let interop?) where interop < 6: return true
        case .ietf: return type == "application/partial-upload"
        }
    }

    /// The SHA-256 that a field of RFC 9530 announces; 32 bytes.
    static func announcedDigest(_ request: HTTPRequest, _ field: String) throws(RequestProblem) -> [UInt8]? {
        guard let text = request.fields[field] else { return nil }
        guard let digests = structuredDigests(text) else { throw invalid(field, "It cannot be read.") }
        guard let digest = digests["sha-256"] else { return nil }
        guard let bytes = Base64.decode(digest), bytes.count == 32 else { throw invalid(field, "It cannot be read.") }
        return bytes
    }

    /// The fields of a photo that the query or the metadata names; nil when they name none: somebody makes a photo of it
    /// later.
    private func draft(of request: HTTPRequest, _ metadata: TusMetadata?) throws -> PhotoDraft? {
        let pairs =
            request.query.pairs.map { ($0.name, $0.value) } + (try metadata?.fields(limit: limits.textBytes) ?? [])
        guard !pairs.isEmpty else { return nil }
        var draft = PhotoDraft()
        var seen: Set<String> = []
        for (name, value) in pairs { try draft.take(name, value, limit: limits.textBytes, seen: &seen) }
        return draft
    }

    // MARK: Beginning

    private func begin(
        _ new: NewUpload, _ request: HTTPRequest, _ caller: Caller, _ uploadProtocol: UploadProtocol,
        _ key: IdempotencyKey?
    ) async throws -> HTTPResponse {
        let begun = try await uploads.begin(
            new, by: caller.user, within: try await actions.reservation(for: caller), key: key, requestID: request.id
        ) { id in
            // How far it is belongs to the moment of each response.
            StoredResponse(HTTPResponse(.created, fields: ["Location": url(of: id, request)]))
        }
        switch begun {
        case .before(let kept): return try await repeated(HTTPResponse(kept), request, caller, uploadProtocol)
        case .new(let upload):
            var created = HTTPResponse(.created, fields: uploadProtocol.fields)
            created.fields.add("Location", url(of: upload.id, request))
            if upload.part == .final {
                let progress = await uploads.finished(
                    upload, at: upload.length ?? 0, caller.user, action(request))
                return try await finished(progress, caller, uploadProtocol, request, created)
            }
            if uploadProtocol.takesInterim {
                var fields = uploadProtocol.fields
                fields.add("Location", url(of: upload.id, request))
                if let limits = uploadProtocol.limits(limits.fileBytes, until: upload.expiresAt) {
                    fields.add("Upload-Limit", limits)
                }
                await request.body.sendInterim(.uploadResumptionSupported, fields)
            }
            return try await receive(request, upload.id, caller, uploadProtocol, at: 0, creating: created)
        }
    }

    /// The response to a creation that comes again: where the upload is, and how far it is now.
    private func repeated(
        _ kept: HTTPResponse, _ request: HTTPRequest, _ caller: Caller, _ uploadProtocol: UploadProtocol
    ) async throws -> HTTPResponse {
        guard let name = kept.fields["Location"]?.split(separator: "/").last, let id = UploadID(String(name)) else {
            return kept
        }
        let progress = try await uploads.resume(id, by: caller.user, for: action(request))
        return try await finished(progress, caller, uploadProtocol, request, kept)
    }
}
