internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to a room: each picture is uploaded, then each is an event. The first has the caption, the others are in its thread.
struct MatrixPosting: Sendable {
    private static let deviceKey = "device"
    private static let eventKey = "event"

    let task: SubmissionTask
    let api: MatrixAPI
    let settings: MatrixSettings

    func submit() async throws(SubmissionError) -> Receipt {
        let earlier = await OpenOutcome.recorded(in: task.journal)
        if let earlier, let root = await event(of: task.pictures[0]) {
            return try await finish(root, text: earlier.text)
        }
        var uploads: [MatrixUpload] = []
        for picture in task.pictures { uploads.append(try await uploaded(picture)) }
        guard try await !api.isEncrypted(settings.room) else {
            throw .unauthorized(SubmissionProblem(MatrixSubmitter.encrypted))
        }
        if earlier == nil { try await recordDevice() }
        // What is sent again is what was sent: the server compares nothing.
        let (text, first) = (earlier?.text ?? task.text, task.pictures[0])
        let content = MatrixMessage.media(uploads[0], caption: text, isVideo: task.photo.isVideo)
        let root = try await task.publish(text) { _ throws(SubmissionError) in
            try await api.send(content, to: settings.room, transaction: transaction(of: first))
        }
        try await afterPublication { () throws(SubmissionError) in try await record(root, of: first) }
        return try await finish(root, text: text)
    }

    // MARK: Files

    /// The file on the server. A place for it is written down before it is sent, so that it is there once.
    private func uploaded(_ picture: OutgoingPicture) async throws(SubmissionError) -> MatrixUpload {
        let (key, placeKey) = (picture.key("media"), picture.key("place"))
        if let known = MatrixUpload(await task.journal.value(key)) { return known }
        let file = try await picture.file()
        let name = "pics-\(picture.code).\(file.fileExtension)"
        let upload: MatrixUpload
        if let uri = try await place(placeKey) {
            guard try await api.upload(file, named: name, to: uri, progress: picture.progress) else {
                try await task.journal.record(placeKey, nil)
                throw .temporary(api.client.problem(.uploadLost))
            }
            upload = MatrixUpload(uri: uri, name: name, of: file)
        } else {
            upload = MatrixUpload(
                uri: try await api.upload(file, named: name, progress: picture.progress), name: name, of: file)
        }
        picture.progress(file.bytes, file.bytes)
        try await task.journal.record(key, upload.json)
        return upload
    }

    /// A place that has so long left is not begun with.
    private static let leastLife: TimeInterval = 600

    /// A place for a file; nil at a server that has none.
    private func place(_ key: String) async throws(SubmissionError) -> String? {
        let known = await task.journal.value(key)
        if let uri = known?["uri"]?.string {
            let end = known?["expires_at"]?.double.map(Date.init(timeIntervalSince1970:)) ?? .distantFuture
            if task.now() + Self.leastLife < end { return uri }
        }
        guard let place = try await api.createPlace() else { return nil }
        try await task.journal.record(
            key, ["uri": .string(place.uri), "expires_at": JSONValue(place.expiresAt?.timeIntervalSince1970)])
        return place.uri
    }

    func upload(of picture: OutgoingPicture) async -> MatrixUpload? {
        MatrixUpload(await task.journal.value(picture.key("media")))
    }

    // MARK: Events

    /// Under which the server knows the request, from this device.
    func transaction(of picture: OutgoingPicture) -> String {
        MatrixNames.transaction(task.outboundKey, picture.code.description)
    }

    /// The event that shows a picture, as far as that is known.
    func event(of picture: OutgoingPicture) async -> String? {
        await task.journal.value(picture.key(Self.eventKey))?.string
    }

    func record(_ event: String, of picture: OutgoingPicture) async throws(SubmissionError) {
        try await task.journal.record(picture.key(Self.eventKey), .string(event))
    }

    /// Of the first request that may have published.
    private func recordDevice() async throws(SubmissionError) {
        let device = JSONValue(settings.device)
        guard await task.journal.value(Self.deviceKey) ?? .null != device else { return }
        try await task.journal.record(Self.deviceKey, device)
    }

    /// Whether transactions are those of the request that may have published.
    func isSameDevice() async -> Bool {
        let recorded = await task.journal.value(Self.deviceKey)?.string
        return recorded != nil && recorded == settings.device
    }

    /// Sends the pictures that are not there yet into the thread of the first, and tells them all.
    func finish(_ root: String, text: String) async throws(SubmissionError) -> Receipt {
        var ids = [root]
        for picture in task.pictures.dropFirst() {
            let previous = ids[ids.count - 1]
            let id = try await afterPublication { () throws(SubmissionError) in
                try await part(picture, of: root, after: previous)
            }
            if let id { ids.append(id) }
        }
        return task.receipt(
            remoteID: MatrixEvents(ids).receipt,
            url: MatrixNames.link(to: root, in: settings.room, at: settings.server), text: text)
    }

    private func part(
        _ picture: OutgoingPicture, of root: String, after previous: String
    ) async throws(SubmissionError) -> String? {
        if let known = await event(of: picture) { return known }
        // One that came to the post since has no file there.
        guard let upload = await upload(of: picture) else { return nil }
        var content = MatrixMessage.media(upload, caption: "", isVideo: false)
        content["m.relates_to"] = MatrixMessage.inThread(of: root, after: previous)
        let id: String
        do throws(SubmissionError) {
            id = try await api.send(content, to: settings.room, transaction: transaction(of: picture))
        } catch {
            // A token that has ended between two pictures is renewed.
            guard case .unauthorized(let problem) = error, problem.status == 401 else { throw error }
            throw .unknownOutcome(problem, retryAfter: nil)
        }
        try await record(id, of: picture)
        return id
    }
}
