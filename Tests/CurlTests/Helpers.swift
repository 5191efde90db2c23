import Curl
import EventLoops
import HTTP
import Testing

/// Lends a transport on a loop of its own; it may reach the servers of the tests unless told otherwise.
@discardableResult
func withTransport<Value: Sendable>(
    reachesPrivateAddresses: Bool = true, stallTimeout: Duration = .seconds(30),
    threads: BlockingThreads = BlockingThreads(name: "curl-test-disk", count: 1),
    _ body: @Sendable (CurlTransport) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop(name: "curl-test")
    defer { loop.stop() }
    let options = CurlOptions(
        userAgent: "Pics/test", stallTimeout: stallTimeout, reachesPrivateAddresses: reachesPrivateAddresses)
    defer { threads.stop() }
    return try await body(CurlTransport(on: loop, threads: threads, options: options))
}

func request(
    _ url: String, _ method: HTTPMethod = .get, _ body: OutgoingBody = .none, timeout: Duration = .seconds(60),
    limit: Int = 1 << 20
) -> OutgoingRequest {
    OutgoingRequest(method: method, url: url, body: body, timeout: timeout, maxResponseBytes: limit)
}

/// Expects that the server may have acted.
func expectUnanswered(_ body: () async throws -> Void) async {
    do {
        try await body()
        Issue.record("no error")
    } catch TransportError.unanswered {
    } catch {
        Issue.record(error)
    }
}

enum Gzip {
    /// The text `hello`.
    static let hello: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0,
    ]
    /// 100 000 zeros.
    static let bomb: [UInt8] =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 13, 15, 160]
        + [UInt8](repeating: 0, count: 96) + [128, 87, 3, 125, 149, 17, 212, 160, 134, 1, 0]
}
