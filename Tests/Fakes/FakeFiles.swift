internal import HTTP
internal import System

/// Files at addresses that services fetch: what Pics serves to those that take no bytes.
package final class FakeFiles: FakeService {
    private let files = Lock<[String: (bytes: [UInt8], mediaType: String)]>([:])

    package init() {}

    package var effects: [PublishedPost] { [] }

    package func refusal(_ status: Int) -> FakeAnswer { FakeAnswer(HTTPStatus(code: status)) }

    package var routes: [FakeRoute] {
        ["GET", "HEAD"].map { method in
            FakeRoute("\(method) /media/{name}") { [self] _, parameters in
                guard let file = files.withLock({ $0[parameters["name"]] }) else { return refusal(404) }
                var answer = FakeAnswer(.ok)
                answer.fields.set("Content-Type", file.mediaType)
                if method == "GET" { answer.body = file.bytes }
                return answer
            }
        }
    }

    /// Serves bytes at `/media/NAME`.
    package func add(_ bytes: [UInt8], mediaType: String, as name: String) {
        files.withLock { $0[name] = (bytes, mediaType) }
    }

    /// The addresses lead nowhere any more.
    package func removeAll() { files.withLock { $0 = [:] } }
}

/// A file that a service has fetched.
package struct FetchedFile: Sendable {
    package let bytes: [UInt8]
    package let mediaType: String

    package init(bytes: [UInt8], mediaType: String) { (self.bytes, self.mediaType) = (bytes, mediaType) }
}

/// How a fake fetches the file at an address; nil when there is none.
package typealias FileFetcher = @Sendable (_ url: String) async -> FetchedFile?
