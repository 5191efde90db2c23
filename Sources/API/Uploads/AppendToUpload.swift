internal import Actions
internal import Blobs
package import Domain
internal import HTTP
package import HTTPServer
internal import Store

extension APIHandlers {
    /// `PATCH /v1/uploads/{id}`: takes the next part.
    package func appendToUpload(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let found = try await upload(of: request, caller)
        return try await answering(request, madeBy: found.protocol) { uploadProtocol in
            guard Self.isPart(request, uploadProtocol) else {
                throw RequestProblem.unsupportedType(
                    "A part comes as application/offset+octet-stream, or application/partial-upload.")
            }
            guard let offset = request.fields["Upload-Offset"].flatMap(uploadProtocol.count) else {
                throw Self.invalid("Upload-Offset", "It must be the number of bytes that have arrived.")
            }
            if case .ietf(let interop) = uploadProtocol, interop != 3, uploadProtocol.completes(request) == nil {
                throw Self.invalid("Upload-Complete", "It must be ?0 or ?1.")
            }
            return try await receive(request, found.id, caller, uploadProtocol, at: offset, creating: nil)
        }
    }

    /// Takes a part at `offset`; the first one comes with the creation, whose response is `creating`.
    func receive(
        _ request: HTTPRequest, _ id: UploadID, _ caller: Caller, _ uploadProtocol: UploadProtocol, at offset: Int64,
        creating: HTTPResponse?
    ) async throws -> HTTPResponse {
        let part = UploadPart(
            at: offset, isFirst: creating != nil, isLast: uploadProtocol.isLast(request),
            bytes: request.body.declaredLength,
            length: creating == nil ? request.fields["Upload-Length"].flatMap(uploadProtocol.count) : nil,
            checksum: try Self.checksum(request, uploadProtocol), failsOnExcess: uploadProtocol != .tus
        ) {
            $0 is BodyError
        } progress: { durable in
            guard uploadProtocol.takesInterim else { return }
            var fields = uploadProtocol.fields
            fields.add("Upload-Offset", String(durable))
            await request.body.sendInterim(.uploadResumptionSupported, fields)
        }
        let progress: UploadProgress
        do {
            progress = try await uploads.append(part, to: id, by: caller.user, for: action(request)) { use in
                try await request.body.forEach(within: self.actions.blobs.places, use)
            }
        } catch let mismatch as UploadMismatch {
            throw refusal(mismatch, uploadProtocol, creating)
        } catch ActionError.digestMismatch where uploadProtocol == .tus && part.checksum != nil {
            throw RequestProblem.checksumMismatch
        }
        var response =
            creating ?? HTTPResponse(progress.upload.state == .complete ? .noContent : uploadProtocol.statusOfPart)
        if creating == nil, progress.isNewlyComplete, case .ietf = uploadProtocol, progress.upload.draft == nil {
            response.status = .ok
        }
        return try await finished(progress, caller, uploadProtocol, request, response)
    }

    /// The response to what has arrived; of the last part of an upload that becomes a photo it is the photo's, and of a file for a later
    /// post that of its place.
    func finished(
        _ progress: UploadProgress, _ caller: Caller, _ uploadProtocol: UploadProtocol, _ request: HTTPRequest,
        _ response: HTTPResponse
    ) async throws -> HTTPResponse {
        let upload = progress.upload
        let fields = uploadProtocol.fields(
            upload, offset: progress.offset, isComplete: upload.state == .complete, limit: limits.fileBytes)
        var response = response
        if let photo = progress.photo {
            let created: HTTPResponse
            do { created = try await self.response(try photo.get(), for: caller.user) } catch {
                throw UploadRefusal(problem: error, fields: fields)
            }
            if uploadProtocol == .tus {
                // A client of tus knows 204 and 201 alone; where the photo is, stands beside.
                if let place = created.fields["Location"] { response.fields.add("Link", "<\(place)>; rel=\"item\"") }
            } else {
                response = created
                if let digest = try await wantedDigest(request, of: upload) {
                    response.fields.add("Repr-Digest", digest)
                }
            }
        } else if upload.state == .complete, upload.part != .partial, let whole = place(of: request).whole {
            if upload.photo == nil {
                do { try await uploads.identify(upload.id, of: caller.user) } catch {
                    throw UploadRefusal(problem: error, fields: uploadProtocol.fields)
                }
            }
            let told = whole(upload.id)
            if uploadProtocol == .tus {
                if let place = told.fields["Location"] { response.fields.add("Link", "<\(place)>; rel=\"item\"") }
            } else {
                response = told
            }
        }
        response.fields.addMissing(fields)
        return response
    }

    private func refusal(_ mismatch: UploadMismatch, _ uploadProtocol: UploadProtocol, _ creating: HTTPResponse?)
        -> UploadRefusal
    {
        let problem: RequestProblem =
            switch mismatch.reason {
            case .offset(let provided): .mismatchingOffset(expected: mismatch.offset, provided: provided)
            case .length: .inconsistentLength
            case .tooLarge(let limit): .tooLarge(limit: limit)
            }
        var fields = uploadProtocol.fields(
            mismatch.upload, offset: mismatch.offset, isComplete: false, limit: limits.fileBytes)
        if mismatch.reason == .length, let place = creating?.fields["Location"] { fields.add("Location", place) }
        return UploadRefusal(problem: problem, fields: fields)
    }

    /// The checksum of this request's part, if the client says one.
    private static func checksum(_ request: HTTPRequest, _ uploadProtocol: UploadProtocol) throws -> PartChecksum? {
        guard uploadProtocol == .tus else {
            return try announcedDigest(request, "Content-Digest").map { PartChecksum(sha256: $0) }
        }
        guard let text = request.fields["Upload-Checksum"] else { return nil }
        do throws(PartChecksum.Problem) { return try PartChecksum(text) } catch {
            throw invalid(
                "Upload-Checksum", error == .malformed ? "It cannot be read." : "There are \(PartChecksum.algorithms).")
        }
    }
}
