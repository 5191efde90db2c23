internal import Actions
internal import Authentication
internal import Blobs
internal import Domain
internal import EventLoops
internal import HTTP
internal import HTTPServer
internal import Store

/// The file of a form, on its way.
struct MicropubFile {
    let photo: IncomingPhoto
    var bytes = 0
}

extension AppHandlers {
    /// `POST /micropub`: creates a post, or does something with one (sections 3.3 and 3.4).
    func postMicropub(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await answeringMicropub {
            let known = try await self.micropubCaller(byHeaderOf: request)
            let type = request.fields["Content-Type"].flatMap { MediaType($0) }
            switch type?.essence {
            case "multipart/form-data":
                return try await self.postForm(request, try Self.formType(of: request), known)
            case "application/json":
                guard let known else { throw AuthenticationError.missing }
                let body = try await request.parameters(withQuery: false)
                return try await self.perform(try MicropubBody(body.members), [], known, request)
            case "application/x-www-form-urlencoded", nil:
                let body = try await request.body.collect(upTo: Parameters.longest)
                guard let form = FormFields(body, limit: Parameters.mostPairs) else {
                    throw InvalidField.invalid("#", "The form cannot be read.")
                }
                let caller = try await self.micropubCaller(known, byForm: form, request)
                return try await self.perform(try MicropubBody(form), [], caller, request)
            default:
                throw InvalidField.invalid("#", "Send a form, multipart/form-data or application/json.")
            }
        }
    }

    /// Takes a form with files, whose bytes go from the socket to the disk. The token has to come before them.
    private func postForm(
        _ request: HTTPRequest, _ type: MediaType, _ known: MicropubCaller?
    ) async throws -> HTTPResponse {
        var reader = try MultipartReader(type)
        var caller: MicropubCaller?
        var reservation: StorageReservation?
        var files: [MicropubFile] = []
        var isTaken = false
        do {
            try await request.body.forEach(within: actions.blobs.places) { chunk in
                try await reader.feed(chunk) { headers, texts in
                    // A text of this name is the address of a photo.
                    guard headers.filename != nil else { return false }
                    let name = MicropubBody.property(headers.name)
                    guard name != "audio" else { throw InvalidField.invalid("#/audio", "Sound cannot be posted.") }
                    isTaken = name == "photo" || name == "video"
                    // Nobody's files are read, also those that are left out.
                    let sender: MicropubCaller =
                        if let caller { caller } else {
                            try await self.micropubCaller(known, byForm: texts, request)
                        }
                    caller = sender
                    try sender.demand(anyOf: .createPhotos, .draftPhotos)
                    // What is not known is left out, and the post is still made (section 3.3).
                    guard isTaken else { return true }
                    guard files.count < PhotoDraft.mostPhotos else {
                        throw InvalidField.invalid("#/photo", "A post may have \(PhotoDraft.mostPhotos) photos.")
                    }
                    if reservation == nil { reservation = try await self.actions.reservation(for: sender.caller) }
                    guard let reservation else { return true }
                    files.append(MicropubFile(photo: try self.photos.begin(reservation)))
                    return true
                } write: { bytes in
                    guard isTaken else { return }
                    files[files.count - 1].bytes += bytes.count
                    try await files[files.count - 1].photo.write(bytes)
                }
            }
            try reader.finish()
            let texts = reader.texts
            let sender: MicropubCaller
            if let caller {
                guard known == nil || texts["access_token"] == nil else { throw TokenSentTwice() }
                sender = caller
            } else {
                sender = try await micropubCaller(known, byForm: texts, request)
            }
            guard files.allSatisfy({ $0.bytes > 0 }) else {
                throw InvalidField.invalid("#/photo", "The file is empty.")
            }
            return try await perform(try MicropubBody(texts), files.map(\.photo), sender, request)
        } catch {
            // Of files that have become photos nothing is left to drop.
            for file in files { await file.photo.abandon() }
            throw error
        }
    }

    private func perform(
        _ body: MicropubBody, _ files: [IncomingPhoto], _ caller: MicropubCaller, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        guard let action = body.action else { return try await createPost(body, files, caller, request) }
        guard files.isEmpty else { throw InvalidField.invalid("#/photo", "An action takes no files.") }
        switch action {
        case "create": return try await createPost(body, files, caller, request)
        case "update":
            try caller.demand(anyOf: .editPhotos)
            try await update(try await ownPost(at: body.address, caller.user), body.changes, caller, request)
            return HTTPResponse(.noContent)
        case "delete":
            try caller.demand(anyOf: .deletePhotos)
            let photo = try await ownPost(at: body.address, caller.user)
            try await photos.delete(photo.id, by: caller.user, requestID: request.id)
            return HTTPResponse(.noContent)
        case "undelete":
            try caller.demand(anyOf: .deletePhotos)
            let photo = try await store.ownPhoto(code: try code(of: body.address), owner: caller.user.id)
            try await photos.restore(photo, by: caller.user, requestID: request.id)
            return HTTPResponse(.noContent)
        default: throw InvalidField.invalid("#/action", "There are create, update, delete and undelete.")
        }
    }

    /// The user's own post at an address that a creation has given.
    ///
    /// - Throws: `MicropubError.otherPerson` for a post that the user may see, and that is somebody else's; `StoreError`.
    func ownPost(at address: String?, _ user: User) async throws -> Photo {
        let photo = try await store.photo(code: try code(of: address), viewer: user.id).photo
        guard photo.owner == user.id else { throw MicropubError.otherPerson }
        return photo
    }

    private func code(of address: String?) throws -> ShortCode {
        guard let address, !address.isEmpty else { throw InvalidField.invalid("#/url", "Say which post.") }
        guard let code = addresses.code(at: address) else { throw StoreError.notFound }
        return code
    }
}
