internal import Blobs
package import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
package import HTTPServer
internal import Store

extension API {
    /// `PATCH /v1/uploads/{id}`: takes the next part.
    package func appendToUpload(_ request: Request, _ caller: Caller) async throws -> Response {
        let id: UploadID = try request.identifier()
        let found = try await store.upload(id, owner: caller.user.id)
        return try await answering(request, madeBy: found.protocol) { dialect in
            guard Self.isPart(request, dialect) else {
                throw RequestProblem.unsupportedType(
                    "A part comes as application/offset+octet-stream, or application/partial-upload.")
            }
            guard let offset = request.fields["Upload-Offset"].flatMap(dialect.count) else {
                throw Self.invalid("Upload-Offset", "It must be the number of bytes that have arrived.")
            }
            if case .ietf(let interop) = dialect, interop != 3, dialect.completes(request) == nil {
                throw Self.invalid("Upload-Complete", "It must be ?0 or ?1.")
            }
            return try await receive(request, id, caller, dialect, at: offset, creating: nil)
        }
    }

    /// Takes a part at `offset`; the first one comes with the creation, whose answer is `creating`.
    func receive(
        _ request: Request, _ id: UploadID, _ caller: Caller, _ dialect: UploadDialect, at offset: Int64,
        creating: Response?
    ) async throws -> Response {
        try await desk.work(on: id) {
            var upload = try await self.store.upload(id, owner: caller.user.id)
            if upload.part == .final, creating == nil { throw RequestProblem.finalUpload }
            guard upload.state != .failed else { throw RequestProblem.uploadFailed }
            guard upload.state == .receiving else {
                return try await self.repeated(upload, request, caller, dialect, at: offset, creating)
            }
            let file = try await self.openFile(of: upload)
            // Nobody else opens it before its bytes have become what they should.
            defer { withExtendedLifetime(file) {} }
            guard file.bytes == offset else {
                let expected = try await file.synchronize()
                throw self.refusal(.mismatchingOffset(expected: expected, provided: offset), upload, expected, dialect)
            }
            upload = try await self.learnLength(upload, request, dialect, offset, creating)
            let taken = upload
            do { try await self.take(request, taken, file, dialect) } catch {
                // A client of tus that has sent all does not come back, even if it never heard so. What fails here is done
                // with the next HEAD.
                if error is BodyError {
                    _ = try? await self.unhurried { try await self.settled(id, caller.user, request) }
                }
                throw error
            }
            let bytes = file.bytes
            return try await self.unhurried {
                try await self.arrived(taken, bytes, request, caller, dialect, creating)
            }
        }
    }

    /// Runs `work` to its end, whoever goes away or takes over meanwhile: what has arrived must not wait for a client that thinks
    /// it is done.
    private func unhurried<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value
    {
        try await Task(executorPreference: EventLoop.current) { try await work() }.value
    }

    /// All of a part is on the disk.
    private func arrived(
        _ upload: Upload, _ bytes: Int64, _ request: Request, _ caller: Caller, _ dialect: UploadDialect,
        _ creating: Response?
    ) async throws -> Response {
        let isLast = dialect.isLast(request)
        if isLast, let length = upload.length, length != bytes {
            var refusal = refusal(.inconsistentLength, upload, bytes, dialect)
            if let place = creating?.fields["Location"] { refusal.fields.add("Location", place) }
            throw refusal
        }
        let isComplete = isComplete(upload, bytes, isLast)
        if isComplete { try await store.complete(upload.id, length: bytes) }
        let upload = try await store.upload(upload.id, owner: caller.user.id)
        var response = creating ?? Response(isComplete ? .noContent : dialect.statusOfPart)
        if creating == nil, isComplete, case .ietf = dialect, upload.draft == nil { response.status = .ok }
        return try await finished(upload, caller, dialect, request, response, offset: bytes)
    }

    /// The answer to what has arrived; of the last part of an upload that becomes a photo it is the photo's.
    func finished(
        _ upload: Upload, _ caller: Caller, _ dialect: UploadDialect, _ request: Request, _ response: Response,
        offset: Int64? = nil
    ) async throws -> Response {
        let isComplete = upload.state == .complete
        let fields = dialect.fields(
            upload, offset: offset ?? upload.length ?? 0, isComplete: isComplete, limit: limits.fileBytes)
        var response = response
        if isComplete, upload.draft != nil {
            let photo: Response
            do { photo = try await publish(upload, caller.user, request) } catch {
                throw UploadRefusal(problem: error, fields: fields)
            }
            if dialect == .tus {
                // A client of tus knows 204 and 201 alone; where the photo is, stands beside.
                if let place = photo.fields["Location"] { response.fields.add("Link", "<\(place)>; rel=\"item\"") }
            } else {
                response = photo
                if let digest = try await wantedDigest(request, of: upload) {
                    response.fields.add("Repr-Digest", digest)
                }
            }
        }
        for field in fields where !response.fields.contains(field.name) { response.fields.add(field.name, field.value) }
        return response
    }

    // MARK: Parts

    /// Opens the file; what was left of a part whose checksum nobody has compared is dropped.
    func openFile(of upload: Upload) async throws -> UploadFile {
        let file: UploadFile
        do throws(BlobError) { file = try await uploads.open(upload.id.uuid, keeping: upload.checked) } catch {
            switch error {
            case .inUse: throw RequestProblem.lockedUpload
            case .system(_, ENOENT): throw StoreError.gone
            default: throw error
            }
        }
        if upload.checked != nil { try await store.setChecked(nil, of: upload.id) }
        return file
    }

    /// A part of an upload that is complete: nothing but a repetition of the last one, whose answer was lost.
    private func repeated(
        _ upload: Upload, _ request: Request, _ caller: Caller, _ dialect: UploadDialect, at offset: Int64,
        _ creating: Response?
    ) async throws -> Response {
        let length = upload.length ?? 0
        guard offset == length else {
            throw refusal(.mismatchingOffset(expected: length, provided: offset), upload, length, dialect)
        }
        guard request.body.declaredLength == 0 else {
            throw refusal(.tooLarge(limit: length), upload, length, dialect)
        }
        return try await finished(upload, caller, dialect, request, creating ?? Response(.noContent))
    }

    private func refusal(
        _ problem: RequestProblem, _ upload: Upload, _ offset: Int64, _ dialect: UploadDialect
    ) -> UploadRefusal {
        UploadRefusal(
            problem: problem,
            fields: dialect.fields(upload, offset: offset, isComplete: false, limit: limits.fileBytes))
    }

    /// Notes the length that this request tells, and refuses one that cannot be.
    private func learnLength(
        _ upload: Upload, _ request: Request, _ dialect: UploadDialect, _ offset: Int64, _ creating: Response?
    ) async throws -> Upload {
        var told: [Int64] = []
        if creating == nil, let length = request.fields["Upload-Length"].flatMap(dialect.count) {
            told.append(length)
        }
        let declared = request.body.declaredLength
        if dialect.isLast(request), let declared { told.append(offset + declared) }
        for length in told {
            guard upload.length == nil || upload.length == length, told[0] == length else {
                throw refusal(.inconsistentLength, upload, offset, dialect)
            }
        }
        let length = upload.length ?? told.first
        guard length ?? 0 <= limits.fileBytes, offset + (declared ?? 0) <= length ?? limits.fileBytes else {
            if dialect != .tus, upload.length != nil {
                try await fail(upload.id, "More bytes came than were announced.")
            }
            throw refusal(.tooLarge(limit: length ?? limits.fileBytes), upload, offset, dialect)
        }
        guard upload.length == nil, let length else { return upload }
        try await store.setLength(length, of: upload.id)
        return try await store.upload(upload.id, owner: upload.owner)
    }

    private func isComplete(_ upload: Upload, _ bytes: Int64, _ isLast: Bool) -> Bool {
        switch upload.protocol {
        case .tus: upload.length == bytes
        case .ietf: isLast && (upload.length ?? bytes) == bytes
        }
    }

    /// Writes the body to the file; all of it is durable afterwards. What came before a connection broke is kept.
    private func take(
        _ request: Request, _ upload: Upload, _ file: UploadFile, _ dialect: UploadDialect
    ) async throws {
        let start = file.bytes
        let checksum = try Self.checksum(request, dialect)
        if let checksum {
            try await store.setChecked(start, of: upload.id)
            file.observe { checksum.update($0) }
        }
        var pace = DurabilityPace(from: start)
        do {
            try await request.body.forEach(within: blobs.places) { piece in
                guard file.bytes + Int64(piece.count) <= upload.length ?? limits.fileBytes else {
                    try await file.truncate(to: start)
                    if dialect != .tus { try await fail(upload.id, "More bytes came than were announced.") }
                    throw RequestProblem.tooLarge(limit: upload.length ?? limits.fileBytes)
                }
                try await file.append(piece)
                guard pace.isDue(file.bytes) else { return }
                let durable = try await file.synchronize()
                try await store.touch(upload.id, livingFor: limits.uploadAge)
                guard dialect.takesInterim, checksum == nil else { return }
                var fields = dialect.fields
                fields.add("Upload-Offset", String(durable))
                await request.body.sendInterim(.uploadResumptionSupported, fields)
            }
        } catch let error as BodyError {
            // What the disk refuses here was told to nobody: whoever opens the file next goes by its size.
            _ = try? await file.synchronize()
            throw error
        }
        _ = try await file.synchronize()
        try await store.touch(upload.id, livingFor: limits.uploadAge)
        guard let checksum else { return }
        let fits = checksum.fits
        if !fits { try await file.truncate(to: start) }
        try await store.setChecked(nil, of: upload.id)
        guard fits else { throw dialect == .tus ? RequestProblem.checksumMismatch : .digestMismatch }
    }

    /// What the bytes of this request are compared with, if the client says.
    private static func checksum(_ request: Request, _ dialect: UploadDialect) throws -> PartChecksum.Running? {
        guard dialect == .tus else {
            return try announcedDigest(request, "Content-Digest").map {
                PartChecksum.Running(.init(sha256: $0))
            }
        }
        guard let text = request.fields["Upload-Checksum"] else { return nil }
        do throws(PartChecksum.Problem) { return PartChecksum.Running(try PartChecksum(text)) } catch {
            throw invalid(
                "Upload-Checksum", error == .malformed ? "It cannot be read." : "There are \(PartChecksum.algorithms).")
        }
    }
}
