internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// mixi2's Application API with one application, as mixigroup/mixi2-application-sdk-go and the guide of
/// mst-mkt/mixi2-application-sdk-ts describe it (read 2026-11-22). It answers by gRPC over HTTP/2.
package final class FakeMixi2: FakeService {
    package static let clientID = "mixi2-client"
    package static let clientSecret = "mixi2 s&cret/鍵"
    private static let userID = "b9d2e7a4-0000-4000-8000-000000000001"
    private static let service = "/social.mixi.application.service.application_api.v1.ApplicationService"
    private static let tokenLife: TimeInterval = 3600

    /// How it behaves where the documentation leaves it open.
    package struct Options: Sendable {
        /// How long a file is worked on.
        package var processing: TimeInterval = 0
        /// Whether the processing of a file ends with a failure.
        package var processingFails = false
        /// The expected value of `x-auth-key`; nil: none.
        package var authKey: String?

        package init() {}
    }

    struct Media {
        let type: String
        let bytes: Int
        let description: String
        let isVideo: Bool
        let begunAt: Date
        var file: PublishedMedia?
        var arrivedAt: Date?
        var isUsed = false
    }

    struct State {
        var tokens: [String: Date] = [:]
        var media: [String: Media] = [:]
        var posts: [PublishedPost] = []
        var count = 0
    }

    private let options: Options
    private let now: @Sendable () -> Date
    private let state = Lock(State())

    /// Starts without posts.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.options = options
        self.now = now
    }

    package var effects: [PublishedPost] { state.withLock { $0.posts } }

    /// Forgets the files that no post shows.
    package func forgetFiles() { state.withLock { $0.media = [:] } }

    package func refusal(_ status: Int) -> FakeAnswer { FakeAnswer(HTTPStatus(code: status)) }

    /// The refusal of a request: a gRPC status for calls of the service, a plain HTTP status for 502 and all other routes.
    package func refusal(_ status: Int, of route: String) -> FakeAnswer {
        guard route.contains(Self.service), status != 502 else { return refusal(status) }
        let codes = [401: 16, 403: 7, 404: 5, 409: 10, 413: 11, 422: 3, 429: 8, 500: 13, 503: 14, 504: 4]
        return error(codes[status] ?? 2, "\(status) ではだめ")
    }

    /// An answer that has no message has all in its head.
    private func error(_ code: Int, _ message: String) -> FakeAnswer {
        FakeAnswer(
            .ok,
            fields: [
                "Content-Type": "application/grpc", "grpc-status": String(code),
                "grpc-message": PercentEncoding.encode(message),
            ])
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("POST /oauth2/token") { [self] request, _ in token(request) },
            call("GetStamps") { _, _, _ in
                FakeProtobuf().with(1, FakeProtobuf().with(1, "ja").with(99, float: 0.5))
            },
            call("InitiatePostMediaUpload", initiate),
            FakeRoute("POST /upload/{id}") { [self] request, parameters in upload(request, parameters["id"]) },
            call("GetPostMediaStatus", mediaStatus),
            call("CreatePost", createPost),
            call("GetPosts") { message, _, state in
                message.texts(1).reduce(FakeProtobuf()) { response, id in
                    guard let post = state.posts.first(where: { $0.id == id }) else { return response }
                    return response.with(1, Self.message(post))
                }
            },
            call("DeletePost") { [self] message, _, state in
                guard let index = state.posts.firstIndex(where: { $0.id == message.text(1) }) else {
                    throw Refused(response: error(5, "post not found"))
                }
                state.posts.remove(at: index)
                return FakeProtobuf().with(1, 1)
            },
        ]
    }

    // MARK: Tokens and calls

    private func token(_ request: FakeRequest) -> FakeAnswer {
        let pair = "\(PercentEncoding.encode(Self.clientID)):\(PercentEncoding.encode(Self.clientSecret))"
        guard request.fields["Authorization"] == "Basic \(Base64.encode(Array(pair.utf8)))" else {
            return .json(["error": "invalid_client"], HTTPStatus(code: 401))
        }
        guard request.contentType == "application/x-www-form-urlencoded",
            FormFields(request.body)?["grant_type"] == "client_credentials"
        else { return .json(["error": "unsupported_grant_type"], HTTPStatus(code: 400)) }
        return state.withLock { state in
            state.count += 1
            let token = "mixi2-token-\(state.count)"
            state.tokens[token] = now() + Self.tokenLife
            return .json([
                "access_token": .string(token), "token_type": "bearer", "expires_in": JSONValue(Int(Self.tokenLife)),
            ])
        }
    }

    private func isAuthorized(_ request: FakeRequest, _ state: State) -> Bool {
        guard let value = request.fields["Authorization"], value.hasPrefix("Bearer "),
            let end = state.tokens[String(value.dropFirst(7))]
        else { return false }
        return now() < end
    }

    private struct Refused: Error {
        let response: FakeAnswer
    }

    /// The route of a gRPC call; the answer to a successful call ends with the trailer `grpc-status: 0`.
    private func call(
        _ name: String,
        _ response: @escaping @Sendable (FakeProtobuf, FakeRequest, inout State) throws -> FakeProtobuf
    ) -> FakeRoute {
        FakeRoute("POST \(Self.service)/\(name)") { [self] request, _ in
            guard request.contentType == "application/grpc", request.fields["TE"] == "trailers" else {
                return FakeAnswer(HTTPStatus(code: 415))
            }
            guard let message = FakeProtobuf(call: request.body) else { return error(13, "not a message") }
            return state.withLock { state in
                guard isAuthorized(request, state),
                    options.authKey == nil || request.fields["x-auth-key"] == options.authKey
                else { return error(16, "token is not valid") }
                do {
                    return FakeAnswer(
                        .ok, fields: ["Content-Type": "application/grpc"],
                        body: try response(message, request, &state).framed, trailers: ["grpc-status": "0"])
                } catch let refused as Refused {
                    return refused.response
                } catch {
                    return self.error(13, "\(error)")
                }
            }
        }
    }

    // MARK: Files

    private func initiate(
        _ message: FakeProtobuf, _ request: FakeRequest, _ state: inout State
    ) throws -> FakeProtobuf {
        let isVideo = message.number(3) == 2
        let type = message.text(1)
        guard isVideo ? type == "video/mp4" : ["image/jpeg", "image/png", "image/gif"].contains(type),
            (1...(isVideo ? 50_000_000 : 15_000_000)).contains(message.number(2)), 1...2 ~= message.number(3)
        else { throw Refused(response: error(3, "this file cannot be uploaded")) }
        state.count += 1
        let id = "media-\(state.count)"
        state.media[id] = Media(
            type: type, bytes: Int(message.number(2)), description: message.text(4), isVideo: isVideo, begunAt: now())
        return FakeProtobuf().with(1, id).with(2, "\(request.origin)/upload/\(id)")
    }

    private func upload(_ request: FakeRequest, _ id: String) -> FakeAnswer {
        state.withLock { state in
            guard isAuthorized(request, state) else { return refusal(401) }
            guard let media = state.media[id], now() < media.begunAt + (media.isVideo ? 600 : 200) else {
                return refusal(404)
            }
            guard request.contentType == media.type, request.body.count == media.bytes, media.file == nil else {
                return refusal(400)
            }
            state.media[id]?.file = PublishedMedia(
                sha256: SHA256Digest(of: request.body).hex, bytes: request.body.count, mediaType: media.type,
                altText: media.description)
            state.media[id]?.arrivedAt = now()
            return FakeAnswer(.ok)
        }
    }

    private func status(_ media: Media) -> UInt64 {
        guard let arrivedAt = media.arrivedAt else { return 1 }
        guard now() >= arrivedAt + options.processing else { return 2 }
        return options.processingFails ? 4 : 3
    }

    private func mediaStatus(
        _ message: FakeProtobuf, _ request: FakeRequest, _ state: inout State
    ) throws -> FakeProtobuf {
        guard let media = state.media[message.text(1)] else { throw Refused(response: error(5, "media not found")) }
        return FakeProtobuf().with(1, status(media))
    }

    // MARK: Posts

    private func createPost(
        _ message: FakeProtobuf, _ request: FakeRequest, _ state: inout State
    ) throws -> FakeProtobuf {
        let media = message.texts(5)
        guard message.text(1).utf16.count <= 149, media.count <= 4, !(message.text(1).isEmpty && media.isEmpty) else {
            throw Refused(response: error(3, "this cannot be posted"))
        }
        let files = media.compactMap { id in
            state.media[id].flatMap { status($0) == 3 && !$0.isUsed ? $0.file : nil }
        }
        guard files.count == media.count else { throw Refused(response: error(9, "media is not ready")) }
        for id in media { state.media[id]?.isUsed = true }
        state.count += 1
        let id = "06fc40df-e5a8-4a57-bfd7-\(100_000_000_000 + state.count)"
        let post = PublishedPost(
            id: id, url: "\(request.origin)/@lakes/posts/\(id)", text: message.text(1), media: files, createdAt: now())
        state.posts.append(post)
        return FakeProtobuf().with(1, Self.message(post))
    }

    private static func message(_ post: PublishedPost) -> FakeProtobuf {
        let stamp = FakeProtobuf().with(1, FakeProtobuf().with(1, "o_cracker").with(2, "https://img.mixi.social/1"))
        return FakeProtobuf().with(1, post.id).with(2, 0).with(3, userID).with(4, post.text)
            .with(5, FakeProtobuf().with(1, UInt64(post.createdAt.timeIntervalSince1970)))
            .with(10, 1).with(11, 1).with(12, stamp.with(2, 3)).with(12, stamp.with(2, 200))
            // A field that is newer than the description comes along.
            .with(2047, float: 1.5)
    }
}
