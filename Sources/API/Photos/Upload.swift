internal import Actions
internal import Blobs
internal import Foundation
internal import HTTP
internal import HTTPServer

/// The two ways in which a photo's bytes come with a request. Bytes go from the socket to the disk as they come.
extension APIHandlers {
    /// Receives the file and its fields, as far as `reservation` has room. Nothing is left of what was refused.
    func receive(
        _ request: HTTPRequest, _ reservation: StorageReservation
    ) async throws -> (photo: IncomingPhoto, draft: PhotoDraft) {
        let type = request.fields["Content-Type"].flatMap { MediaType($0) }
        switch (type?.type, type?.subtype) {
        case ("multipart", "form-data"):
            guard let type else { throw RequestProblem.unsupportedType("There is no Content-Type.") }
            return try await receiveForm(request, type, reservation)
        case ("image", _), ("video", _), ("application", "octet-stream"):
            return try await receiveRaw(request, reservation)
        default:
            throw RequestProblem.unsupportedType(
                "Send multipart/form-data with a part named photo, or the file itself as image/*, video/* or "
                    + "application/octet-stream with what you say of it in the query.")
        }
    }

    private func receiveRaw(
        _ request: HTTPRequest, _ reservation: StorageReservation
    ) async throws -> (photo: IncomingPhoto, draft: PhotoDraft) {
        var seen: Set<String> = []
        let draft = try PhotoDraft(request.query, limit: limits.textBytes, seen: &seen)
        // Before anything is read where the length is told.
        let photo = try photos.begin(reservation, length: request.body.declaredLength)
        do {
            try await request.body.forEach(within: actions.blobs.places) { try await photo.write($0) }
            return (photo, draft)
        } catch {
            await photo.abandon()
            throw error
        }
    }

    /// The length of a form beside its file at most: its texts, and as much for what stands around them.
    private var formOverhead: Int64 { Int64(2 * PhotoDraft.names.count * limits.textBytes) }

    private func receiveForm(
        _ request: HTTPRequest, _ type: MediaType, _ reservation: StorageReservation
    ) async throws -> (photo: IncomingPhoto, draft: PhotoDraft) {
        if let declared = request.body.declaredLength { try reservation.demand(declared - formOverhead) }
        var form = try FormReader(after: request.query, limit: limits.textBytes)
        var photo: IncomingPhoto?
        do {
            var parser = try MultipartParser(mediaType: type)
            try await request.body.forEach(within: actions.blobs.places) { chunk in
                for event in try parser.feed(chunk) {
                    switch try form.take(event) {
                    case .nothing: break
                    case .fileBegins: photo = try photos.begin(reservation)
                    case .fileBytes(let bytes): try await photo?.write(bytes)
                    }
                }
            }
            try parser.finish()
            guard let photo else { throw RequestProblem.invalid("#/photo", "There is no part named photo.") }
            return (photo, form.draft)
        } catch let error as MultipartError {
            await photo?.abandon()
            throw RequestProblem.invalid("#", "The form cannot be read: \(error)")
        } catch {
            await photo?.abandon()
            throw error
        }
    }
}

/// Sorts the events of a form into a draft and the bytes of the file.
private struct FormReader {
    enum Step {
        case nothing
        case fileBegins
        case fileBytes(ArraySlice<UInt8>)
    }

    private enum Part {
        case none
        case file
        case text(name: String, bytes: [UInt8])
    }

    private(set) var draft: PhotoDraft
    private let limit: Int
    private var part = Part.none
    private var seen: Set<String> = []

    init(after query: FormFields, limit: Int) throws(InvalidField) {
        draft = try PhotoDraft(query, limit: limit, seen: &seen)
        self.limit = limit
    }

    mutating func take(_ event: MultipartParser.Event) throws(InvalidField) -> Step {
        switch event {
        case .partBegin(let headers):
            guard headers.name == "photo" else {
                guard PhotoDraft.names.contains(headers.name) else { throw PhotoDraft.unknownField(headers.name) }
                part = .text(name: headers.name, bytes: [])
                return .nothing
            }
            guard seen.insert("photo").inserted else { throw .invalid("#/photo", "There are two photos.") }
            part = .file
            return .fileBegins
        case .bytes(let slice):
            switch part {
            case .none: return .nothing
            case .file: return .fileBytes(slice)
            case .text(let name, var bytes):
                guard bytes.count + slice.count <= limit else {
                    throw .invalid("#/\(name)", "The text may have \(limit) bytes.")
                }
                bytes += slice
                part = .text(name: name, bytes: bytes)
                return .nothing
            }
        case .partEnd:
            if case .text(let name, let bytes) = part {
                guard let value = String(validating: bytes, as: UTF8.self) else {
                    throw .invalid("#/\(name)", "The text is not UTF-8.")
                }
                try draft.take(name, value, limit: limit, seen: &seen)
            }
            part = .none
            return .nothing
        case .end:
            return .nothing
        }
    }
}
