internal import Domain
internal import FoundationEssentials
internal import HTTP

/// A container, as the journal keeps it: what Threads and Instagram make of a file that they fetch, and publish when they are told to. Nobody
/// sees it before, and it is gone after a day.
struct GraphContainer: Sendable, Equatable {
    /// What a container is made of, and what for.
    enum Content: Sendable {
        /// One file; `text` is nil for a part of a carousel.
        case file(url: String, isVideo: Bool, altText: String, text: String?)
        /// Containers of pictures, in order.
        case carousel([String], text: String)
        /// A text alone that answers a post: a part of a thread.
        case reply(to: String, text: String)

        /// Of the post; nil for a part of a carousel.
        var text: String? {
            switch self {
            case .file(_, _, _, let text): text
            case .carousel(_, let text), .reply(_, let text): text
            }
        }
    }

    /// What the service says of one.
    enum State: Sendable, Equatable {
        case inProgress, finished, published
        /// Nobody has published it for a day.
        case expired
        case failed(Fault)
    }

    /// Why nothing became of a file.
    enum Fault: Sendable, Equatable {
        /// The service takes no such file.
        case unfit
        /// It could not fetch the file.
        case notFetched
        /// Anything that another container may not meet.
        case other
    }

    let id: String
    let madeAt: Date
    /// Of the files that the service has fetched for it; 0 for a carousel.
    let bytes: Int64
    /// The text that it was made with; nil for a part of a carousel.
    let text: String?
    /// Of a carousel, the codes of its pictures in order; else empty.
    var parts = ""

    /// The container under a key, and how many were made for it so far.
    static func recorded(
        _ key: String, in journal: any Journal
    ) async -> (container: GraphContainer?, made: Int) {
        let json = await journal.value(key)
        let made = json?["made"]?.int.map { Int(clamping: $0) } ?? 0
        guard let id = json?["id"]?.string, let time = json?["made_at"]?.double else { return (nil, made) }
        let container = GraphContainer(
            id: id, madeAt: Date(timeIntervalSince1970: time), bytes: json?["bytes"]?.int ?? 0,
            text: json?["text"]?.string, parts: json?["parts"]?.string ?? "")
        return (container, made)
    }

    /// Keeps it as the one of so many.
    func record(_ key: String, made: Int, in journal: any Journal) async throws(SubmissionError) {
        try await journal.record(
            key,
            [
                "id": .string(id), "made_at": .double(madeAt.timeIntervalSince1970), "bytes": .int(bytes),
                "text": JSONValue(text), "parts": .string(parts), "made": JSONValue(made),
            ])
    }

    /// Forgets the container under a key, not how many were made.
    static func forget(_ key: String, in journal: any Journal) async throws(SubmissionError) {
        let made = await recorded(key, in: journal).made
        try await journal.record(key, ["made": JSONValue(made)])
    }
}

/// The calls about containers; Threads and Instagram have other names for the same.
protocol GraphContainerAPI: Sendable {
    var client: ServiceClient { get }

    /// Makes a container. Pictures are fetched before it answers, videos afterwards.
    func makeContainer(_ content: GraphContainer.Content) async throws(SubmissionError) -> String

    /// - Throws: `.gone` for one that is not there.
    func state(of container: String) async throws(SubmissionError) -> GraphContainer.State

    /// Publishes a container; the id of the post.
    ///
    /// - Throws: `.gone` where there is no such container, `.notYet` where it is not ready.
    func publish(_ container: String) async throws(SubmissionError) -> String

    /// The account's posts since a time, newest first.
    func posts(since start: Date) async throws(SubmissionError) -> (posts: [GraphPost], isComplete: Bool)

    /// The account's own answers to a post, below the `root` of its thread, that are not older than `start`.
    func replies(
        to post: String, below root: String, since start: Date
    ) async throws(SubmissionError) -> (posts: [GraphPost], isComplete: Bool)

    /// The address of a post.
    ///
    /// - Throws: `.gone` for one that is not there.
    func link(to post: String) async throws(SubmissionError) -> String?

    /// Whether as much was posted in a day as the account may: posts, or answers where the service counts them apart.
    func isQuotaUsed(ofReplies: Bool) async throws(SubmissionError) -> Bool
}

extension GraphContainerAPI {
    /// Of a service that has no threads.
    func replies(
        to post: String, below root: String, since start: Date
    ) async throws(SubmissionError) -> (posts: [GraphPost], isComplete: Bool) { ([], false) }
}

/// A post in the list of an account's own.
struct GraphPost: Sendable, Equatable {
    let id: String
    let text: String
    let at: Date
    /// `IMAGE`, `VIDEO`, `CAROUSEL_ALBUM`, `TEXT_POST`, or another.
    let mediaType: String

    init(id: String, text: String, at: Date, mediaType: String) {
        (self.id, self.text, self.at, self.mediaType) = (id, text, at, mediaType)
    }

    /// Nil for one without id and time. `text` is the member that has the words.
    init?(_ json: JSONValue, text: String) {
        guard let id = json["id"]?.string, let at = json["timestamp"]?.string.flatMap(GraphList.time) else {
            return nil
        }
        (self.id, self.at) = (id, at)
        self.text = json[text]?.string ?? ""
        mediaType = json["media_type"]?.string ?? ""
    }

    /// A text as it is compared: services keep neither all white space nor the sign of a topic.
    static func comparable(_ text: String) -> String { text.filter { !$0.isWhitespace && $0 != "#" } }
}

extension ServiceClient {
    /// The error of a failed call about containers: what the numbers of media mean, else as everywhere at the Graph API.
    ///
    /// Source: developers.facebook.com, Instagram Platform, "Error Codes" (2026-06-02). Threads has the same numbers, under code 1 too
    /// (gitroomhq/postiz-app issue 1364), and 4279009 and 4279013 (trypostit/trypost PR 280). Read 2026-11-26.
    func containerFailure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let refusal = GraphRefusal(response)
        switch refusal.subcode {
        case 2_207_003, 2_207_052:
            return unclear(problem(.fileNotFetched, response), role)
        case 2_207_004:
            return .rejected(problem(.fileTooLarge, response))
        case 2_207_005, 2_207_009, 2_207_023, 2_207_026, 2_207_028:
            return .rejected(problem(.fileRefused, response))
        case 2_207_010:
            return .rejected(problem(.textRefused, response))
        case 2_207_040:
            return .rejected(problem(.tooManyTags, response))
        case 2_207_042:
            return quotaUsed(response)
        case 2_207_051:
            return blocked(response)
        case 2_207_050, 4_279_013:
            return .unauthorized(problem(.accountClosed, response))
        case 2_207_027:
            return .notYet(checkAfter: .seconds(15))
        case 2_207_006, 2_207_008, 2_207_020, 4_279_009:
            return .gone(problem(.uploadLost, response))
        case 2_207_001, 2_207_032, 2_207_053:
            return unclear(problem(.uploadFailed, response), role)
        default:
            return refusal.code == 24 ? .gone(problem(.uploadLost, response)) : graphFailure(response, role)
        }
    }

    /// The day's posts are used up; the window moves, and nobody tells when.
    func quotaUsed(_ response: IncomingResponse? = nil) -> SubmissionError {
        let end = now() + 3600
        let parameters = ProblemParameters(until: end, scope: .account)
        let problem =
            response.map { self.problem(.quotaExceeded, $0, parameters) }
            ?? SubmissionProblem(self.problem(.quotaExceeded, parameters))
        return .limited(problem, .account, until: end)
    }
}
