internal import Actions
internal import Authentication
internal import Blobs
package import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Media
internal import Store
internal import System

/// Files that an app uploads before it posts them, and the addresses under which it sees them meanwhile.
extension AppHandlers {
    private static let filePath = "/files/"

    /// The address of an uploaded file: whoever knows it sees the picture, without place and names. 74 bits of it are random.
    func fileURL(of upload: UploadID) -> String { Self.fileURL(of: upload, addresses) }

    private static func fileURL(of upload: UploadID, _ addresses: Addresses) -> String {
        "\(addresses.base)\(filePath)\(upload)"
    }

    /// The response to a file that has arrived for a later post (Micropub, section 3.6).
    package static func uploaded(_ upload: UploadID, _ addresses: Addresses) -> HTTPResponse {
        let address = fileURL(of: upload, addresses)
        return .json(["url": .string(address)], status: .created, fields: ["Location": address])
    }

    /// The upload behind an address that `fileURL` has made; nil for any other.
    func upload(at address: String) -> UploadID? {
        let start = addresses.base + Self.filePath
        guard address.hasPrefix(start) else { return nil }
        return UploadID(String(address.dropFirst(start.count)))
    }

    /// `GET /files/{id}`: the picture of a file that is no photo yet, for whoever knows the address. Once it is a photo, the address
    /// leads to its public picture, if there is one.
    ///
    /// - Throws: `RateLimitExceeded` when too many were made for this address of a client.
    func showFile(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let id = request.parameters["id"].flatMap({ UploadID($0) }) else { throw StoreError.notFound }
        let upload = try await uploads.shownUpload(id)
        var fields: HTTPFields = [
            "Cache-Control": "private, max-age=60", "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cross-Origin-Resource-Policy": "cross-origin",
        ]
        // A client that has it already costs nothing.
        let etag = EntityTag(id.description)
        if upload.photo == nil, let known = request.fields["If-None-Match"], Preconditions.names(known, etag) {
            fields.add("ETag", etag.description)
            return HTTPResponse(.notModified, fields: fields, body: .empty)
        }
        if upload.photo == nil { try rates.charge(.pictures, for: request) }
        switch try await uploads.picture(of: upload) {
        case .photo(let photo):
            let picture = PublicRendition.large.path(code: photo.code, recipe: photo.recipe)
            return HTTPResponse(
                .seeOther,
                fields: ["Location": addresses.mediaBase(of: photo) + picture, "Cache-Control": "private, no-cache"])
        case .picture(let file, let mediaType):
            fields.add("Content-Type", mediaType)
            return .representation(
                of: request, fields: fields, etag: etag, body: .file(FileBody(file.file, length: file.bytes)))
        }
    }

    // MARK: Receiving

    /// Receives a `multipart/form-data` body with one file, whose part has one of `fileNames`, as an upload that is no photo yet; its
    /// bytes go from the socket to the disk. The type is that of the content, and stands in the upload. Files under other names are
    /// dropped.
    ///
    /// Nothing is left of what is refused.
    ///
    /// - Throws: `InvalidField` without a file, with an empty one or several, and for texts that cannot be read;
    ///   `ActionError.unsupportedMediaType`, `.storageQuotaUsed`, `.uploadQuotaUsed`, `.uploadTooLarge`; `MediaError`; `BodyError`.
    func receiveFile(
        _ request: HTTPRequest, by caller: Caller, fileNames: Set<String>
    ) async throws -> (upload: Upload, fields: FormFields) {
        try await receiveFile(request, behind: [], by: caller, fileNames: fileNames)
    }

    /// The same where the beginning of the body has been read.
    func receiveFile(
        _ request: HTTPRequest, behind beginning: [ArraySlice<UInt8>], by caller: Caller, fileNames: Set<String>,
        confirming confirmation: ActionRequest? = nil
    ) async throws -> (upload: Upload, fields: FormFields) {
        let type = try Self.formType(of: request)
        let reservation = try await actions.reservation(for: caller)
        if let declared = request.body.declaredLength { try reservation.demand(declared - Int64(Parameters.longest)) }
        let begun = try await uploads.begin(
            NewUpload(.ietf), by: caller.user, within: reservation, key: nil, requestID: request.id
        ) { id in StoredResponse(status: 201, fields: [], body: Array(id.description.utf8)) }
        // Without a key there is none before.
        guard case .new(let upload) = begun else { throw ActionError.requestUnderWay }
        let received = Lock(FormFields())
        let part = UploadPart(
            at: 0, isFirst: true, isLast: true, bytes: nil, length: nil, checksum: nil, failsOnExcess: false,
            isBroken: { _ in false }, progress: { _ in })
        let places = actions.blobs.places
        do {
            _ = try await uploads.append(part, to: upload.id, by: caller.user, for: confirmation ?? action(request)) {
                write in
                var form = try FileForm(type, fileNames)
                for chunk in beginning { try await form.feed(chunk, write) }
                try await request.body.forEach(within: places) { try await form.feed($0, write) }
                let end = try form.finish()
                received.withLock { $0 = end }
            }
        } catch {
            try await uploads.delete(upload.id, of: caller.user)
            throw error
        }
        do {
            return (try await uploads.identify(upload.id, of: caller.user), received.withLock { $0 })
        } catch {
            // Its client does not know it, and sends the file again.
            // What is no picture is deleted already.
            do { try await uploads.delete(upload.id, of: caller.user) } catch StoreError.notFound {}
            throw error
        }
    }

    /// The type of a form with files.
    ///
    /// - Throws: `InvalidField` for a body that is none.
    static func formType(of request: HTTPRequest) throws(InvalidField) -> MediaType {
        guard let type = request.fields["Content-Type"].flatMap({ MediaType($0) }),
            type.essence == "multipart/form-data"
        else { throw .invalid("#", "Send the file as multipart/form-data.") }
        _ = try MultipartReader(type)
        return type
    }
}

/// A form with one file that is read as it comes.
private struct FileForm {
    private enum Part { case file, other }

    private var reader: MultipartReader
    private let names: Set<String>
    private var part = Part.other
    private var files = 0
    private var isEmpty = true

    init(_ type: MediaType, _ names: Set<String>) throws(InvalidField) {
        reader = try MultipartReader(type)
        self.names = names
    }

    mutating func feed(
        _ chunk: ArraySlice<UInt8>, _ write: (ArraySlice<UInt8>) async throws -> Void
    ) async throws {
        var (part, files, isEmpty) = (part, files, isEmpty)
        try await reader.feed(chunk) { headers, _ in
            part = names.contains(headers.name) ? .file : .other
            if part == .file { files += 1 }
            guard files <= 1 else { throw InvalidField.invalid("#/\(headers.name)", "There is more than one file.") }
            return part == .file || headers.filename != nil
        } write: { bytes in
            guard part == .file else { return }
            if !bytes.isEmpty { isEmpty = false }
            try await write(bytes)
        }
        (self.part, self.files, self.isEmpty) = (part, files, isEmpty)
    }

    /// The texts of the form.
    ///
    /// - Throws: `InvalidField` when there was no file, or nothing in it.
    func finish() throws(InvalidField) -> FormFields {
        try reader.finish()
        guard files == 1 else { throw .invalid("#/\(names.sorted()[0])", "There is no file.") }
        guard !isEmpty else { throw .invalid("#/\(names.sorted()[0])", "The file is empty.") }
        return reader.texts
    }
}
