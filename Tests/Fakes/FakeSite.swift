internal import HTTP
internal import System

/// A web site whose pages a test writes.
package final class FakeSite: FakeService {
    private let pages = Lock<[String: FakeAnswer]>([:])

    package init() {}

    /// Puts a page at `/NAME`.
    package func set(_ name: String, _ page: FakeAnswer) { pages.withLock { $0[name] = page } }

    /// The same, of HTML.
    package func set(_ name: String, _ html: String) {
        set(name, FakeAnswer(.ok, fields: ["Content-Type": "text/html; charset=utf-8"], body: Array(html.utf8)))
    }

    package var routes: [FakeRoute] {
        [
            FakeRoute("GET /{name}") { [self] request, _ in
                pages.withLock { $0[String(request.path.dropFirst())] } ?? refusal(404)
            }
        ]
    }

    package var effects: [PublishedPost] { [] }
    package func refusal(_ status: Int) -> FakeAnswer { FakeAnswer(HTTPStatus(code: status)) }
}
