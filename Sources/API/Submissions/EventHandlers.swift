internal import Actions
internal import Authentication
package import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Logging
internal import Store
internal import System

extension APIHandlers {
    /// `GET /v1/events`: what becomes of the caller's photos, submissions, uploads and responses, as it happens (HTML Living Standard, "Server-
    /// sent events").
    ///
    /// Every event is the thing as it is now, so that one that comes twice does no harm, and a slow reader gets fewer. A
    /// client that comes back with `Last-Event-ID` hears what has changed meanwhile; another one first hears of everything
    /// that has not ended. Each costs the database two looks a second, so a user has a bounded number of them.
    package func followEvents(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let since = try request.fields["Last-Event-ID"].map(Self.time)
        guard let permit = streams.take(caller.user.id) else { throw RequestProblem.tooManyStreams }
        return HTTPResponse(
            .ok,
            fields: [
                "Content-Type": MediaType.eventStream.description, "Cache-Control": "no-store",
                "X-Accel-Buffering": "no",
            ],
            body: .stream { writer in
                var follower = EventFollower(api: self, owner: caller.user.id) {
                    try await self.authentication.isStillGood(request)
                }
                try await follower.run(writer, since: since)
                _ = permit
            })
    }

    /// Identifiers of events are microseconds of the database's clock.
    private static func time(_ text: String) throws(RequestProblem) -> Date {
        guard let number = Int64(text), number >= 0 else {
            throw .invalid("#/Last-Event-ID", "It is none that an event has had.")
        }
        return Date(timeIntervalSince1970: Double(number) / 1e6)
    }
}

extension RequestProblem {
    fileprivate static let tooManyStreams = RequestProblem(
        details: ProblemDetails(
            type: "/problems/too-many-streams", status: .tooManyRequests, title: "Too many event streams are open",
            detail: "Close one of this user's streams, or wait until one ends.", retryAfter: .seconds(60)))
}

/// One client that follows: what it was told, and what it is told next.
private struct EventFollower {
    /// Between two looks.
    private static let pause = Duration.milliseconds(500)
    private static let heartbeat = Duration.seconds(15)
    /// After this a client has to come again, so that no stream outlives its token for long.
    private static let life = Duration.seconds(600)
    /// By so much the clock of a standby may be behind that of the primary whose place it takes.
    private static let clockDifference: TimeInterval = 5
    /// Older changes are not sent.
    private static let memory: TimeInterval = 86_400

    let api: APIHandlers
    let owner: UserID
    /// Whether the client's token is still good.
    private let isAllowed: @Sendable () async throws -> Bool
    private var told: [SubmissionID: Submission] = [:]
    private var photos: [PhotoID: ProcessedPhoto] = [:]
    private var uploads: [UploadID: UploadNews] = [:]
    /// Changes that were told, by the response.
    private var responses: [ResponseID: Date] = [:]
    private var since = Date.distantPast

    private struct UploadNews: Equatable {
        let bytes: Int64
        let state: Upload.State
        let photo: PhotoID?
    }

    init(api: APIHandlers, owner: UserID, isAllowed: @escaping @Sendable () async throws -> Bool) {
        self.api = api
        self.owner = owner
        self.isAllowed = isAllowed
    }

    mutating func run(_ writer: BodyWriter, since last: Date?) async throws {
        try await writer.write("retry: 2000\n\n")
        let begun = Moment.now
        var spoken = begun
        if let last {
            since = max(last, Date().addingTimeInterval(-Self.memory))
        } else {
            since = Date()
            for submission in try await api.store.openSubmissions(of: owner).reversed() {
                told[submission.id] = submission
                try await writer.write(Self.event("submission", id: nil) { APIHandlers.write(submission, to: &$0) })
            }
            let waiting = try await photoNews(try await api.store.pendingPhotos(of: owner).reversed(), nil)
            if !waiting.isEmpty { try await writer.write(waiting) }
        }
        while Moment.now - begun < Self.life, !api.status.isDraining() {
            let text = try await news()
            if !text.isEmpty || Moment.now - spoken > Self.heartbeat {
                guard try await isAllowed() else { return }
                try await writer.write(text.isEmpty ? ": here\n\n" : text)
                spoken = .now
            }
            try await EventLoop.current?.sleep(for: Self.pause)
        }
    }

    private mutating func news() async throws -> String {
        let changes = try await api.store.changes(
            ChangeKey(owner: owner, since: since.addingTimeInterval(-Self.clockDifference)))
        let id = Int64(changes.settledAt.timeIntervalSince1970 * 1e6)
        var text = ""
        for submission in changes.submissions.sorted(by: { $0.updatedAt < $1.updatedAt })
        where told[submission.id] != submission {
            told[submission.id] = submission
            text += Self.event("submission", id: id) { APIHandlers.write(submission, to: &$0) }
        }
        text += try await photoNews(changes.photos.sorted { $0.at < $1.at }, id)
        text += responseNews(changes.responses.sorted { $0.at < $1.at }, id)
        // What has ended long ago does not come again.
        let horizon = changes.settledAt.addingTimeInterval(-2 * Self.clockDifference)
        told = told.filter { !$0.value.state.isFinal || $0.value.updatedAt > horizon }
        photos = photos.filter { $0.value.at > horizon }
        responses = responses.filter { $0.value > horizon }
        since = changes.settledAt
        return text + (try await uploadNews(id))
    }

    private mutating func photoNews(_ changed: [ProcessedPhoto], _ id: Int64?) async throws -> String {
        var text = ""
        for photo in changed where photos[photo.id] != photo {
            photos[photo.id] = photo
            do {
                let (view, submissions) = try await api.store.photoWithSubmissions(photo.id, viewer: owner)
                text += Self.event("photo", id: id) { api.write(view, submissions, for: owner, to: &$0) }
            } catch let error {
                // It was deleted this moment.
                guard error == .notFound || error == .gone else { throw error }
            }
        }
        return text
    }

    private mutating func responseNews(_ changed: [ChangedResponse], _ id: Int64?) -> String {
        var text = ""
        for change in changed where responses[change.id] != change.at {
            responses[change.id] = change.at
            if let response = change.response {
                text += Self.event("response", id: id) { json in
                    json.object { APIHandlers.writeMembers(of: response, base: api.addresses.base, to: &$0) }
                }
            } else {
                text += Self.event("response_deleted", id: id) { json in
                    json.object { $0.member("id", change.id.description) }
                }
            }
        }
        return text
    }

    private mutating func uploadNews(_ id: Int64) async throws -> String {
        var text = ""
        var seen: [UploadID: UploadNews] = [:]
        for upload in try await api.store.uploads(of: owner, before: nil, limit: 20) {
            guard upload.state == .receiving || uploads[upload.id] != nil else { continue }
            let bytes: Int64
            do { bytes = try await api.uploads.arrivedBytes(of: upload) } catch {
                // Its place is away for a while: the other news go on.
                api.logger.debug("an upload is told of later", ["upload": upload.id, "error": logText(of: error)])
                if let known = uploads[upload.id] { seen[upload.id] = known }
                continue
            }
            let news = UploadNews(bytes: bytes, state: upload.state, photo: upload.photo)
            if uploads[upload.id] != news {
                text += Self.event("upload", id: id) { api.write(upload, bytes, to: &$0) }
            }
            if upload.state == .receiving || upload.photo == nil { seen[upload.id] = news }
        }
        uploads = seen
        return text
    }

    private static func event(_ name: String, id: Int64?, _ write: (inout JSONWriter) -> Void) -> String {
        let data = String(decoding: JSONWriter.text(write), as: UTF8.self)
        return (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(data)\n\n"
    }
}
