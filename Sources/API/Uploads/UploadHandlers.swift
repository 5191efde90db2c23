internal import Actions
internal import Crypto
package import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Logging
internal import Store

/// Uploads that come in parts: tus 1.0.0 and Resumable Uploads for HTTP on the same resources, at `/v1/uploads` and at the media endpoint of
/// Micropub.
extension APIHandlers {
    /// `OPTIONS /v1/uploads` and of one upload: what is spoken here.
    package func describeUploads(_ request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(
            .noContent,
            fields: [
                "Tus-Resumable": UploadProtocol.tusVersion, "Tus-Version": UploadProtocol.tusVersion,
                "Tus-Extension": UploadProtocol.tusExtensions, "Tus-Max-Size": String(limits.fileBytes),
                "Tus-Checksum-Algorithm": PartChecksum.algorithms, "Upload-Limit": "max-size=\(limits.fileBytes)",
                "Accept-Patch": "application/offset+octet-stream, application/partial-upload",
            ])
    }

    /// `OPTIONS /v1/photos`: what a photo may be that comes in parts, by Resumable Uploads for HTTP.
    package func describePhotoCreation(_ request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(
            .noContent,
            fields: ["Allow": "GET, HEAD, OPTIONS, POST", "Upload-Limit": "max-size=\(limits.fileBytes)"])
    }

    /// `HEAD /v1/uploads/{id}`: where to go on. A request that sends to it now is asked to let go first.
    package func showOffset(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let found = try await upload(of: request, caller)
        return try await answering(request, madeBy: found.protocol) { uploadProtocol in
            if case .ietf = uploadProtocol,
                request.fields.contains("Upload-Offset") || request.fields.contains("Upload-Complete")
            {
                throw RequestProblem.invalid("#", "HEAD takes neither Upload-Offset nor Upload-Complete.")
            }
            let (upload, offset) = try await uploads.current(found.id, of: caller.user, for: action(request))
            guard upload.state != .failed else { throw ActionError.uploadFailed }
            return HTTPResponse(
                uploadProtocol == .tus ? .ok : .noContent, fields: place(of: upload, at: offset, in: uploadProtocol))
        }
    }

    /// `GET /v1/uploads/{id}`: how far it is, as JSON, and where to go on, unless it has failed. It disturbs nobody.
    package func showUpload(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let upload = try await store.upload(try request.identifier(), owner: caller.user.id)
        let bytes = try await uploads.arrivedBytes(of: upload)
        var fields: HTTPFields = ["Cache-Control": "no-store"]
        if upload.state != .failed {
            fields = place(
                of: upload, at: try await uploads.durableBytes(of: upload),
                in: UploadProtocol(ofReader: request, upload)
            )
        }
        fields.add("Content-Type", "application/json")
        return HTTPResponse(.ok, fields: fields, body: .bytes(JSONWriter.text { write(upload, bytes, to: &$0) }))
    }

    /// The fields that say where an upload goes on.
    private func place(of upload: Upload, at offset: Int64, in uploadProtocol: UploadProtocol) -> HTTPFields {
        var fields = uploadProtocol.fields(
            upload, offset: offset, isComplete: upload.state == .complete, limit: limits.fileBytes)
        fields.add("Cache-Control", "no-store")
        if let length = upload.length {
            fields.add("Upload-Length", String(length))
        } else if uploadProtocol == .tus {
            fields.add("Upload-Defer-Length", "1")
        }
        if uploadProtocol == .tus {
            if !upload.metadata.isEmpty { fields.add("Upload-Metadata", upload.metadata) }
            if let concat = upload.concat { fields.add("Upload-Concat", concat) }
        }
        return fields
    }

    /// `GET /v1/uploads`: the caller's uploads, newest first.
    package func listUploads(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let page = try PageRequest(request) { UploadID($0) }
        let found = try await store.uploads(of: caller.user.id, before: page.cursor, limit: page.limit + 1)
        var shown: [(upload: Upload, bytes: Int64)] = []
        for upload in found.prefix(page.limit) { shown.append((upload, try await uploads.arrivedBytes(of: upload))) }
        return page.response(
            shown[...], next: found.count > shown.count ? shown.last?.upload.id.description : nil,
            base: addresses.base, path: "/v1/uploads"
        ) { json, item in write(item.upload, item.bytes, to: &json) }
    }

    /// `DELETE /v1/uploads/{id}`: gives it up; a request that sends to it now is cut off. A photo that was made of it stays.
    package func deleteUpload(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let found = try await upload(of: request, caller)
        return try await answering(request, madeBy: found.protocol) { uploadProtocol in
            try await uploads.delete(found.id, of: caller.user)
            return HTTPResponse(.noContent, fields: uploadProtocol.fields)
        }
    }

    /// `POST /v1/uploads/{id}` with `X-HTTP-Method-Override`, for clients that cannot send PATCH or DELETE (tus, "X-HTTP-Method-
    /// Override").
    package func overrideMethod(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        switch request.fields["X-HTTP-Method-Override"] {
        case "PATCH": return try await appendToUpload(request, caller)
        case "DELETE": return try await deleteUpload(request, caller)
        case "HEAD": return try await showOffset(request, caller)
        default:
            var response = HTTPResponse.problem(
                ProblemDetails(
                    type: "/problems/method-not-allowed", status: .methodNotAllowed,
                    title: "The method is not allowed here",
                    detail: "X-HTTP-Method-Override has to be PATCH, DELETE or HEAD."))
            response.fields.add("Allow", "DELETE, GET, HEAD, OPTIONS, PATCH")
            return response
        }
    }

    // MARK: Parts

    /// Answers in the client's protocol, problems too; `creates` says that the request begins an upload.
    func answering(
        _ request: HTTPRequest, madeBy maker: Upload.Kind? = nil, creates: Bool = false,
        _ work: (UploadProtocol) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let uploadProtocol: UploadProtocol
        do throws(RequestProblem) {
            uploadProtocol = try UploadProtocol(request, madeBy: maker)
        } catch {
            return problem(error, request, ["Tus-Version": UploadProtocol.tusVersion])
        }
        do {
            return try await work(uploadProtocol)
        } catch {
            // What the server ended itself, it answers itself.
            guard !(error is CancellationError), !(error is BodyError) else { throw error }
            var fields = creates ? uploadProtocol.fieldsOfRefusedCreation : uploadProtocol.fields
            if let refusal = error as? UploadRefusal { fields = refusal.fields }
            if ProblemDetails(error).status == .contentTooLarge,
                let limits = uploadProtocol.limits(limits.fileBytes, until: nil), !fields.contains("Upload-Limit")
            {
                fields.add("Upload-Limit", limits)
            }
            return problem((error as? UploadRefusal)?.problem ?? error, request, fields)
        }
    }

    private func problem(_ error: any Error, _ request: HTTPRequest, _ fields: HTTPFields) -> HTTPResponse {
        let problem = ProblemDetails(error)
        if problem.status.code >= 500 {
            logger.error(
                "request failed", ["request": request.id, "path": request.path, "error": logText(of: error)])
        }
        var response = HTTPResponse.problem(problem)
        response.fields.add(fields)
        return response
    }

    /// The absolute URL of an upload: at the configured base, or where the client has come.
    func url(of upload: UploadID, _ request: HTTPRequest) -> String {
        "\(base(for: request))\(place(of: request).path)/\(upload)"
    }

    private func base(for request: HTTPRequest) -> String {
        guard !addresses.isConfigured, let authority = request.authority else { return addresses.base }
        return "\(request.isSecure ? "https" : "http")://\(authority)"
    }

    func write(_ upload: Upload, _ bytes: Int64, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", upload.id.description)
            json.member("url", "\(addresses.base)/v1/uploads/\(upload.id)")
            json.member("protocol", upload.protocol.rawValue)
            json.member("state", upload.state.rawValue)
            json.object("progress") { json in
                json.member("received", bytes)
                json.member("total", upload.length)
            }
            json.member("file_name", upload.fileName)
            json.member("media_type", upload.mediaType)
            json.member("problem", upload.problem)
            json.member("photo", upload.photo?.description)
            json.member("created_at", upload.createdAt)
            json.member("expires_at", upload.expiresAt)
        }
    }
}

extension APIHandlers {
    /// The value of `Repr-Digest` for a client that wants to compare the whole file that became a photo with its own.
    ///
    /// Source: RFC 9530, section 4; draft-ietf-httpbis-resumable-upload, "Integrity Digests".
    ///
    /// - Returns: `nil` when SHA-256 is not wanted, or the upload has given way to a photo that was there before.
    func wantedDigest(_ request: HTTPRequest, of upload: Upload) async throws(StoreError) -> String? {
        let preferences = request.fields["Want-Repr-Digest"]?.split(separator: ",") ?? []
        // A weight of 0 means "rather not".
        guard preferences.contains(where: { $0.wholeMatch(of: /\s*sha-256=([1-9]|10)\s*/) != nil }) else { return nil }
        do throws(StoreError) {
            guard let photo = try await store.upload(upload.id, owner: upload.owner).photo else { return nil }
            let digest = try await store.photo(photo, viewer: upload.owner).photo.blob.digest
            return "sha-256=:\(digest.base64):"
        } catch {
            guard error == .notFound || error == .gone else { throw error }
            return nil
        }
    }
}
