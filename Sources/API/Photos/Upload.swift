internal import Actions
internal import Blobs
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer

/// The two ways in which a photo's bytes come with a request. Bytes go from the socket to the disk as they come.
extension APIHandlers {
    /// Receives the files and their fields, as far as `reservation` has room. Nothing is left of what was refused.
    func receive(
        _ request: HTTPRequest, _ reservation: StorageReservation
    ) async throws -> (photos: [IncomingPhoto], draft: PhotoDraft) {
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
    ) async throws -> (photos: [IncomingPhoto], draft: PhotoDraft) {
        var seen: Set<String> = []
        let draft = try PhotoDraft(request.query, limit: limits.textBytes, seen: &seen)
        // Before anything is read where the length is told.
        let photo = try photos.begin(reservation, length: request.body.declaredLength)
        do {
            try await request.body.forEach(within: actions.blobs.places) { try await photo.write($0) }
            return ([photo], draft)
        } catch {
            await photo.abandon()
            throw error
        }
    }

    /// The length of a form beside its files at most: its texts, and as much for what stands around them.
    private var formOverhead: Int64 {
        Int64(2 * (PhotoDraft.names.count + PhotoDraft.mostPhotos) * limits.textBytes)
    }

    private func receiveForm(
        _ request: HTTPRequest, _ type: MediaType, _ reservation: StorageReservation
    ) async throws -> (photos: [IncomingPhoto], draft: PhotoDraft) {
        if let declared = request.body.declaredLength { try reservation.demand(declared - formOverhead) }
        var form = try PhotoForm(type, after: request.query, limit: limits.textBytes)
        do {
            try await request.body.forEach(within: actions.blobs.places) { chunk in
                try await form.feed(chunk) { _ in try photos.begin(reservation) }
            }
            return (try form.finish(), form.draft)
        } catch {
            await form.abandon()
            throw error
        }
    }
}
