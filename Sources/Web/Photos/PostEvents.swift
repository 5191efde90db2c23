internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

extension PageHandlers {
    /// `GET /{code}/events`: tells the owner's page that the posts of its photo have changed, as server-sent events `changed`, until
    /// nothing is on its way: then `ended` (HTML Living Standard, "Server-sent events"). The page asks for what there is to see.
    ///
    /// It counts among the user's event streams.
    func followPosts(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let photo = try await ownPhoto(request, caller)
        guard let permit = streams.take(caller.user.id) else {
            return .uncached([:], .tooManyRequests)
        }
        return HTTPResponse(
            .ok,
            fields: [
                "Content-Type": MediaType.eventStream.description, "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff", "X-Accel-Buffering": "no",
            ],
            body: .stream { [self] writer in
                try await tell(of: photo, writer) { try await self.signedIn(request) != nil }
                _ = permit
            })
    }

    /// Between two looks.
    private static let pause = Duration.milliseconds(500)
    private static let heartbeat = Duration.seconds(15)
    /// After this the page comes again, so that no stream outlives its session for long.
    private static let life = Duration.seconds(300)

    private func tell(
        of photo: Photo, _ writer: BodyWriter, while isAllowed: () async throws -> Bool
    ) async throws {
        try await writer.write("retry: 2000\n\n")
        let begun = Moment.now
        var spoken = begun
        var told: [Submission]?
        while Moment.now - begun < Self.life, !isDraining() {
            let posts = try await store.submissions(of: photo.id)
            if posts != told || Moment.now - spoken > Self.heartbeat {
                guard try await isAllowed() else { return }
                try await writer.write(posts == told ? ": here\n\n" : "event: changed\ndata:\n\n")
                spoken = .now
            }
            told = posts
            guard OwnerTools.isUnderWay(photo, posts) else {
                try await writer.write("event: ended\ndata:\n\n")
                return
            }
            try await EventLoop.current?.sleep(for: Self.pause)
        }
    }
}
