package import HTTP
internal import System

/// A web site whose pages a test writes.
package final class FakeSite: FakeService {
    private let pages = Lock<[String: FakeAnswer]>([:])

    /// A form that came.
    package struct Taken: Sendable {
        package let path: String
        package let query: String
        package let form: FormFields
    }

    private let forms = Lock<[Taken]>([])

    package init() {}

    /// Lets `/NAME` take forms.
    package func take(_ name: String) { set(name, FakeAnswer(.accepted)) }

    /// The forms that were taken, in order.
    package var taken: [Taken] { forms.withLock { $0 } }

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
            },
            FakeRoute("POST /{name}") { [self] request, _ in
                guard let answer = pages.withLock({ $0[String(request.path.dropFirst())] }) else { return refusal(404) }
                if answer.status.isSuccess {
                    let taken = Taken(path: request.path, query: request.query, form: FormFields(request.body) ?? [:])
                    forms.withLock { $0.append(taken) }
                }
                return answer
            },
        ]
    }

    package var effects: [PublishedPost] { [] }
    package func refusal(_ status: Int) -> FakeAnswer { FakeAnswer(HTTPStatus(code: status)) }
}
