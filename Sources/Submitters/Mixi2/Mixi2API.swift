internal import Domain
internal import HTTP

/// The calls of mixi2's Application API that Pics uses, for one application.
///
/// Source: mixigroup/mixi2-application-sdk-go at dbc5a306 (mixi2-api v1.2.0), mst-mkt/mixi2-application-sdk-ts,
/// docs/guides/client.md; read 2026-11-22. The numbers are those of the fields in service.proto and post.proto.
struct Mixi2API: Sendable {
    private static let name = "social.mixi.application.service.application_api.v1.ApplicationService"

    private let grpc: GRPC
    private let authorization: String
    private let servers: ServerPolicy

    private var client: ServiceClient { grpc.client }

    /// Takes where the API is, and the token and, if there is one, the key that let the application in.
    init(_ client: ServiceClient, origin: String, accessToken: String, authKey: String, servers: ServerPolicy) {
        authorization = "Bearer \(accessToken)"
        var metadata: HTTPFields = ["Authorization": authorization]
        if !authKey.isEmpty { metadata.add("x-auth-key", authKey) }
        grpc = GRPC(
            client: client, service: "\(origin)/\(Self.name)", metadata: metadata, addresses: servers.addresses)
        self.servers = servers
    }

    /// How far a file is that has arrived.
    enum MediaState: Sendable, Equatable {
        case ready, processing, failed
    }

    /// Where a file is to be sent, and what a post calls it.
    struct Upload: Sendable, Equatable {
        let id: String
        let url: String
    }

    /// `GetStamps`: the one call that needs nothing; asked to learn whether the application is let in.
    func check() async throws(SubmissionError) {
        _ = try await grpc.call("GetStamps", ProtobufMessage(), maxResponseBytes: 8 << 20)
    }

    /// `InitiatePostMediaUpload`.
    func initiateUpload(_ file: OutgoingFile, description: String) async throws(SubmissionError) -> Upload {
        let response = try await grpc.call("InitiatePostMediaUpload", Self.upload(file, description: description))
        let upload = Upload(id: response.text(1), url: response.text(2))
        guard !upload.id.isEmpty else { throw client.unreadable }
        // The token goes there: to no address that an account could not have.
        do throws(SubmissionError) {
            _ = try ServerOrigin(upload.url, policy: servers)
        } catch {
            throw client.unreadable
        }
        return upload
    }

    static func upload(_ file: OutgoingFile, description: String) -> ProtobufMessage {
        var message = ProtobufMessage()
        message.add(1, file.mediaType)
        message.add(2, UInt64(max(file.bytes, 0)))
        message.add(3, UInt64(file.mediaType.hasPrefix("video/") ? 2 : 1))
        message.add(4, description)
        return message
    }

    /// `POST` of the file. Its address is good for 200 seconds, a video's for 600: after that 404 or 410 mean a new one.
    func send(
        _ file: OutgoingFile, to url: String, progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) {
        let response = try await client.response(
            to: OutgoingRequest(
                method: .post, url: url, fields: ["Authorization": authorization, "Content-Type": file.mediaType],
                body: .parts([file.whole]), timeout: ServiceClient.timeout(uploading: file.bytes),
                addressPolicy: servers.addresses, progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) }))
        switch response.status.code {
        case 200..<300: return
        case 404, 410:
            throw .temporary(client.problem(.uploadLost, response), retryAfter: nil)
        default: throw client.failure(response)
        }
    }

    /// `GetPostMediaStatus`. Throws `.gone` when mixi2 does not know the file.
    func mediaState(_ id: String) async throws(SubmissionError) -> MediaState {
        var message = ProtobufMessage()
        message.add(1, id)
        return switch try await grpc.call("GetPostMediaStatus", message).number(1) {
        case 3: .ready
        case 4: .failed
        default: .processing
        }
    }

    /// `CreatePost`: publishes, on the timelines of those who follow the application; the post's id.
    func createPost(_ text: String, media: String) async throws(SubmissionError) -> String {
        do throws(SubmissionError) {
            let response = try await grpc.call("CreatePost", Self.post(text, media: media), .publishing)
            guard let id = response.message(1)?.text(1), !id.isEmpty else {
                throw .unknownOutcome(
                    SubmissionProblem(client.problem(.unreadableResponse)), retryAfter: nil)
            }
            return id
        } catch {
            // What is missing belongs to this post, not to the account.
            if case .gone(let problem) = error { throw .rejected(problem) }
            throw error
        }
    }

    static func post(_ text: String, media: String) -> ProtobufMessage {
        var message = ProtobufMessage()
        message.add(1, text)
        message.add(5, media)
        return message
    }

    /// `DeletePost`: one that is not there is no error.
    func deletePost(_ id: String) async throws(SubmissionError) {
        var message = ProtobufMessage()
        message.add(1, id)
        do throws(SubmissionError) {
            _ = try await grpc.call("DeletePost", message)
        } catch {
            if case .gone = error { return }
            throw error
        }
    }

    /// `GetPosts`: how often a post was given a stamp. Throws `.gone` when it is not there any more.
    func stamps(of id: String) async throws(SubmissionError) -> Int {
        var message = ProtobufMessage()
        message.add(1, id)
        let response = try await grpc.call("GetPosts", message)
        guard let posts = response.messages(1) else { throw client.unreadable }
        guard let post = posts.first(where: { $0.text(1) == id }), post.number(2) == 0 else {
            throw .gone(SubmissionProblem(client.problem(.postMissing)))
        }
        guard let stamps = post.messages(12) else { throw client.unreadable }
        return stamps.reduce(0) { $0 + Int(min($1.number(2), 1 << 32)) }
    }
}
