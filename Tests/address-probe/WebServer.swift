internal import Foundation
internal import Glibc
internal import System

/// Answers each request on port 80 with its own address; `/redirect` sends to `http://private.test/`.
final class WebServer: Sendable {
    private let accepted = Lock(0)

    init(at address: String) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard bindSocket(listener, address, 80), listen(listener, 16) == 0 else { throw NameServer.Failure() }
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                accepted.withLock { $0 += 1 }
                var request = [UInt8](repeating: 0, count: 4096)
                let count = recv(client, &request, request.count, 0)
                let line = String(decoding: request.prefix(max(0, count)), as: UTF8.self).prefix { $0 != "\r\n" }
                let head = line.contains("/redirect") ? "302 Found\r\nLocation: http://private.test/" : "200 OK"
                let response = Array(
                    "HTTP/1.1 \(head)\r\nContent-Length: \(address.utf8.count)\r\nConnection: close\r\n\r\n\(address)"
                        .utf8)
                _ = send(client, response, response.count, Int32(MSG_NOSIGNAL))
                close(client)
            }
        }
    }

    /// How many clients have come.
    var connections: Int { accepted.withLock { $0 } }
}
