internal import Actions
internal import Authentication
internal import Blobs
internal import Domain
internal import EventLoops
internal import HTTP
internal import HTTPServer
internal import Store

/// The media endpoint (section 3.6): files come before the post that they are for.
extension AppHandlers {
    /// `POST /micropub/media`: takes one file, or the first part of one, or deletes one that was not posted.
    func receiveMedia(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answeringMicropub {
            let known = try await self.micropubCaller(byHeaderOf: request)
            if Self.comesInParts(request) { return try await self.beginUpload(request, known) }
            let type = request.fields["Content-Type"].flatMap { MediaType($0) }
            if type?.essence == "application/x-www-form-urlencoded" {
                return try await self.deleteMedia(request, known)
            }
            let form = try Self.formType(of: request)
            var caller = known
            var beginning: [ArraySlice<UInt8>] = []
            if known == nil {
                let (texts, chunks) = try await self.beginning(of: request, form)
                caller = try await self.micropubCaller(nil, byForm: texts, request)
                beginning = chunks
            }
            guard let caller else { throw AuthenticationError.missing }
            try caller.demand(anyOf: .uploadFiles)
            try self.chargeUpload(by: caller.user)
            let (upload, fields) = try await self.receiveFile(
                request, behind: beginning, by: caller.caller, fileNames: ["file"],
                confirming: self.action(request, by: caller))
            guard known == nil || fields["access_token"] == nil else {
                try await self.uploads.delete(upload.id, of: caller.user)
                throw TokenSentTwice()
            }
            return Self.uploaded(upload.id, addresses)
        }
    }

    /// Whether a request begins an upload in parts, by tus or as Resumable Uploads for HTTP has it.
    private static func comesInParts(_ request: HTTPRequest) -> Bool {
        ["Tus-Resumable", "Upload-Complete", "Upload-Draft-Interop-Version"].contains { request.fields.contains($0) }
    }

    /// Its token comes in the header: the body is the file.
    private func beginUpload(_ request: HTTPRequest, _ caller: MicropubCaller?) async throws -> HTTPResponse {
        guard let caller else { throw AuthenticationError.missing }
        try caller.demand(anyOf: .uploadFiles)
        try chargeUpload(by: caller.user)
        return try await beginUpload(request, caller.caller)
    }

    /// The texts of a form before its first file, and all bytes that were read for them.
    private func beginning(
        of request: HTTPRequest, _ type: MediaType
    ) async throws -> (texts: FormFields, chunks: [ArraySlice<UInt8>]) {
        struct FileBegins: Error {}
        var reader = try MultipartReader(type)
        var (texts, chunks, bytes) = (FormFields(), [ArraySlice<UInt8>](), 0)
        do {
            try await request.body.forEach(within: actions.blobs.places) { chunk in
                bytes += chunk.count
                guard bytes <= 2 * Parameters.longest else {
                    throw InvalidField.invalid("#", "The token must come before the file.")
                }
                chunks.append(chunk)
                try await reader.feed(chunk) { headers, before in
                    guard headers.filename != nil || headers.name == "file" else { return false }
                    texts = before
                    throw FileBegins()
                }
            }
            texts = reader.texts
        } catch is FileBegins {}
        return (texts, chunks)
    }

    private func deleteMedia(_ request: HTTPRequest, _ known: MicropubCaller?) async throws -> HTTPResponse {
        let body = try await request.body.collect(upTo: Parameters.longest)
        guard let form = FormFields(body, limit: Parameters.mostPairs), form["action"] == "delete" else {
            throw InvalidField.invalid("#/action", "Send a file as multipart/form-data, or action=delete.")
        }
        let caller = try await micropubCaller(known, byForm: form, request)
        try caller.demand(anyOf: .uploadFiles)
        guard let id = upload(at: form["url"] ?? "") else {
            throw InvalidField.invalid("#/url", "There is no such file.")
        }
        let upload = try await store.upload(id, owner: caller.user.id)
        guard upload.photo == nil else { throw ActionError.uploadUsed }
        try await uploads.delete(id, of: caller.user)
        return HTTPResponse(.noContent)
    }

    /// `GET /micropub/media?q=source`: the files that were uploaded and not posted, newest first.
    func queryMedia(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answeringMicropub {
            guard let caller = try await self.micropubCaller(byHeaderOf: request) else {
                throw AuthenticationError.missing
            }
            guard request.query["q"] == "source" else { throw InvalidField.invalid("#/q", "There is source.") }
            try caller.demand(anyOf: .readPhotos)
            let limit = try Self.number(request.query, "limit", in: 1...50) ?? 20
            let offset = try Self.number(request.query, "offset", in: 0...1000) ?? 0
            var (found, last): ([Upload], UploadID?) = ([], nil)
            repeat {
                let page = try await self.store.uploads(of: caller.user.id, before: last, limit: 100)
                found += page.filter { $0.state == .complete && $0.photo == nil && $0.part != .partial }
                last = page.count < 100 ? nil : page.last?.id
            } while last != nil && found.count < offset + limit
            let items = found.dropFirst(offset).prefix(limit).map { upload -> JSONValue in
                [
                    "url": .string(self.fileURL(of: upload.id)),
                    "published": .string(Timestamp(upload.createdAt).description),
                    "mime_type": JSONValue(upload.mediaType),
                ]
            }
            return .json(["items": JSONValue(Array(items))], fields: ["Cache-Control": "private, no-cache"])
        }
    }
}
