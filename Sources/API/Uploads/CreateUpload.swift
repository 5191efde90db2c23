internal import Blobs
internal import Crypto
package import Domain
internal import Foundation
internal import HTTP
package import HTTPServer
internal import Logging
internal import Store

extension API {
    /// `POST /v1/uploads`: begins an upload, and takes the first part if there is one.
    package func createUpload(_ request: Request, _ caller: Caller) async throws -> Response {
        try await answering(request, creates: true) { dialect in
            try await once(request, of: caller.user.id) { key in
                var plan = try plan(request, dialect)
                let draft = try draft(of: request, plan.metadata)
                if let draft { _ = try await companions(of: draft, of: caller.user) }
                plan.draft = draft.map { StoredDraft(photo: $0).text }
                return try await begin(plan, request, caller, dialect, key)
            }
        }
    }

    /// `POST /v1/photos` with `Upload-Complete`: the same, and the answer to the last part is the photo's.
    func createResumablePhoto(_ request: Request, _ caller: Caller) async throws -> Response {
        try await answering(request, madeBy: .ietf, creates: true) { dialect in
            var plan = try plan(request, dialect)
            var draft = StoredDraft(photo: try draft(of: request, nil) ?? PhotoDraft())
            _ = try await companions(of: draft.photo, of: caller.user)
            draft.key = try IdempotencyKey(request, of: caller.user.id)?.text
            plan.draft = draft.text
            return try await begin(plan, request, caller, dialect, nil)
        }
    }

    /// What a client says of an upload that begins.
    private struct Plan {
        var part = Upload.Part.whole
        var length: Int64?
        var metadata: TusMetadata?
        var metadataText = ""
        var concat: TusConcat?
        var concatText: String?
        var mediaType: String?
        var fileName: String?
        var sha256: [UInt8]?
        var draft: String?
    }

    private func plan(_ request: Request, _ dialect: UploadDialect) throws -> Plan {
        var plan = Plan()
        if let field = request.fields["Upload-Length"] {
            plan.length = dialect.count(field)
            // A field of the wrong type is none for one protocol, and wrong for the other.
            if plan.length == nil, dialect == .tus { throw Self.invalid("Upload-Length", "It must be a number.") }
        }
        if dialect == .tus { try readTus(request, &plan) } else { try readIETF(request, dialect, &plan) }
        if plan.fileName?.utf8.contains(0) == true { plan.fileName = nil }
        guard plan.length ?? 0 <= limits.fileBytes else { throw RequestProblem.tooLarge(limit: limits.fileBytes) }
        return plan
    }

    private func readTus(_ request: Request, _ plan: inout Plan) throws {
        let isDeferred = request.fields.contains("Upload-Defer-Length")
        if isDeferred, request.fields["Upload-Defer-Length"] != "1" {
            throw Self.invalid("Upload-Defer-Length", "It can only be 1.")
        }
        if let text = request.fields["Upload-Concat"] {
            guard let concat = TusConcat(text) else { throw Self.invalid("Upload-Concat", "It cannot be read.") }
            (plan.concat, plan.concatText) = (concat, text)
            plan.part = concat == .partial ? .partial : .final
        }
        if plan.part == .final {
            guard plan.length == nil, !isDeferred else {
                throw Self.invalid("Upload-Length", "It is that of the parts.")
            }
        } else if (plan.length == nil) != isDeferred {
            throw Self.invalid("Upload-Length", "Send either this or Upload-Defer-Length.")
        }
        if let text = request.fields["Upload-Metadata"] {
            guard let metadata = TusMetadata(text) else { throw Self.invalid("Upload-Metadata", "It cannot be read.") }
            (plan.metadata, plan.metadataText) = (metadata, text)
            plan.fileName = metadata["filename", "name"]
            plan.mediaType = metadata["filetype", "type"]
        }
        if request.body.declaredLength != 0, !Self.isPart(request, .tus) {
            throw RequestProblem.unsupportedType("A first part comes as application/offset+octet-stream.")
        }
    }

    private func readIETF(_ request: Request, _ dialect: UploadDialect, _ plan: inout Plan) throws {
        guard let completes = dialect.completes(request) else {
            throw Self.invalid("Upload-Complete", "It must be ?0 or ?1.")
        }
        if completes, let declared = request.body.declaredLength {
            guard plan.length == nil || plan.length == declared else { throw RequestProblem.inconsistentLength }
            plan.length = declared
        }
        plan.mediaType = request.fields["Content-Type"]
        plan.fileName = request.fields["Content-Disposition"].flatMap { ContentDisposition($0)?.filename }
        plan.sha256 = try Self.announcedDigest(request, "Repr-Digest")
    }

    static func invalid(_ field: String, _ detail: String) -> RequestProblem { .invalid("#/\(field)", detail) }

    /// Whether the body is a part of an upload, by its type.
    static func isPart(_ request: Request, _ dialect: UploadDialect) -> Bool {
        let type = request.fields["Content-Type"].flatMap { MediaType($0) }?.essence
        switch dialect {
        case .tus: return type == "application/offset+octet-stream"
        case .ietf(let interop?) where interop < 6: return true
        case .ietf: return type == "application/partial-upload"
        }
    }

    /// The SHA-256 that a field of RFC 9530 announces; 32 bytes.
    static func announcedDigest(_ request: Request, _ field: String) throws(RequestProblem) -> [UInt8]? {
        guard let text = request.fields[field] else { return nil }
        guard let digests = structuredDigests(text) else { throw invalid(field, "It cannot be read.") }
        guard let digest = digests["sha-256"] else { return nil }
        guard let bytes = Base64.decode(digest), bytes.count == 32 else { throw invalid(field, "It cannot be read.") }
        return bytes
    }

    /// The fields of a photo that the query or the metadata names; nil when they name none: somebody makes a photo of it
    /// later.
    private func draft(of request: Request, _ metadata: TusMetadata?) throws -> PhotoDraft? {
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
        _ plan: Plan, _ request: Request, _ caller: Caller, _ dialect: UploadDialect, _ key: IdempotencyKey?
    ) async throws -> Response {
        let asked =
            [
                dialect.kind.rawValue, plan.part.rawValue, plan.metadataText, plan.concatText ?? "",
                "\(plan.length ?? -1)", plan.mediaType ?? "", plan.fileName ?? "", plan.draft ?? "",
            ].map { Array($0.utf8) } + [plan.sha256 ?? []]
        if let kept = try await keptAnswer(key, to: asked) {
            return try await begun(before: kept, request, caller, dialect)
        }
        let id = UploadID.make()
        let (length, parts) = try await parts(of: plan, caller)
        if let length { try await demandRoom(for: length, of: caller.user) }
        if plan.part == .final {
            try await join(parts, as: id, bytes: length ?? 0, caller)
        } else {
            try await uploads.create(id.uuid)
        }
        let upload = Upload(
            id: id, owner: caller.user.id, protocol: dialect.kind, part: plan.part,
            state: plan.part == .final ? .complete : .receiving, length: length, checked: nil,
            metadata: plan.metadataText, concat: plan.concatText, mediaType: plan.mediaType, fileName: plan.fileName,
            sha256: plan.sha256, draft: plan.part == .partial ? nil : plan.draft, problem: nil, photo: nil,
            createdAt: Date(), expiresAt: Date().addingTimeInterval(limits.uploadAge / .seconds(1)))
        var created = Response(.created, fields: dialect.fields)
        created.fields.add("Location", url(of: id, request))
        // How far it is belongs to the moment of each answer.
        let kept = Response(.created, fields: ["Location": url(of: id, request)])
        do {
            let isTaken = try await store.add(
                upload, livingFor: limits.uploadAge, quota: limits.quota, answer: key?.keeping(kept, to: asked))
            guard isTaken else { throw RequestProblem.quotaUsed }
        } catch let error {
            try await uploads.remove(id.uuid)
            guard error.isConflict(of: "idempotency_keys_pkey") else { throw error }
            guard let kept = try await keptAnswer(key, to: asked) else { throw RequestProblem.stillRunning }
            return try await begun(before: kept, request, caller, dialect)
        }
        logger.info("upload begun", ["upload": id, "length": length, "request": request.id])
        if plan.part == .final {
            return try await finished(upload, caller, dialect, request, created)
        }
        if dialect.takesInterim {
            var fields = dialect.fields
            fields.add("Location", url(of: id, request))
            if let limits = dialect.limits(limits.fileBytes, until: upload.expiresAt) {
                fields.add("Upload-Limit", limits)
            }
            await request.body.sendInterim(.uploadResumptionSupported, fields)
        }
        return try await receive(request, id, caller, dialect, at: 0, creating: created)
    }

    /// Makes the file of a final upload, which nobody knows yet: whoever dies over it leaves a file to be swept, and never an upload
    /// without its bytes.
    private func join(_ parts: [UploadID], as id: UploadID, bytes: Int64, _ caller: Caller) async throws {
        // Asked again when the upload is added; here it saves the disk the work.
        guard try await store.hasRoom(for: bytes, of: caller.user.id, within: limits.quota) else {
            throw RequestProblem.quotaUsed
        }
        do throws(BlobError) { try await uploads.join(parts.map(\.uuid), as: id.uuid) } catch {
            guard case .system(_, ENOENT) = error else { throw error }
            throw Self.invalid("Upload-Concat", "A part is gone.")
        }
    }

    /// The answer to a creation that comes again: where the upload is, and how far it is now.
    private func begun(
        before kept: Response, _ request: Request, _ caller: Caller, _ dialect: UploadDialect
    ) async throws -> Response {
        guard let name = kept.fields["Location"]?.split(separator: "/").last, let id = UploadID(String(name)) else {
            return kept
        }
        return try await desk.work(on: id, isCancellable: false) {
            let upload: Upload
            do { upload = try await self.settled(id, caller.user, request) } catch StoreError.notFound {
                throw StoreError.gone
            }
            guard upload.state != .failed else { throw RequestProblem.uploadFailed }
            let offset = try await self.offset(of: upload)
            return try await self.finished(upload, caller, dialect, request, kept, offset: offset)
        }
    }

    /// The length as far as it is known, and the parts of a final upload, which have to be finished.
    private func parts(of plan: Plan, _ caller: Caller) async throws -> (length: Int64?, parts: [UploadID]) {
        guard case .final(let names) = plan.concat else { return (plan.length, []) }
        var parts: [UploadID] = []
        var length: Int64 = 0
        for name in names {
            guard let part = UploadID(name) else { throw Self.invalid("Upload-Concat", "It names no upload.") }
            let upload: Upload
            do throws(StoreError) { upload = try await store.upload(part, owner: caller.user.id) } catch {
                guard error == .notFound else { throw error }
                throw Self.invalid("Upload-Concat", "There is no upload \(part).")
            }
            guard upload.part == .partial, upload.state == .complete, let bytes = upload.length else {
                throw Self.invalid("Upload-Concat", "\(part) is no finished partial upload.")
            }
            parts.append(part)
            length += bytes
        }
        guard length <= limits.fileBytes else { throw RequestProblem.tooLarge(limit: limits.fileBytes) }
        return (length, parts)
    }
}
