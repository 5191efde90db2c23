internal import Crypto
internal import Domain
internal import EventLoops
internal import HTTP
internal import HTTPServer
internal import Store

/// The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header-07): what was made with it is made once,
/// however often the request comes.
///
/// The answer is kept with what the request has made, in one transaction, for a day. A request that fails leaves nothing, so
/// that its key can be used again.
struct IdempotencyKey: Hashable, Sendable {
    let user: UserID
    let text: String

    init(_ text: String, of user: UserID) { (self.user, self.text) = (user, text) }

    /// Nil without the field.
    init?(_ request: Request, of user: UserID) throws(RequestProblem) {
        guard let field = request.fields["Idempotency-Key"] else { return nil }
        guard let text = structuredString(field) else {
            throw .invalid("#/Idempotency-Key", "It must be a text of 1 to 255 visible characters.")
        }
        (self.user, self.text) = (user, text)
    }

    /// The answer as it is kept; `asked` is everything that tells two requests apart.
    func keeping(_ response: Response, to asked: [[UInt8]]) -> KeptAnswer {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        return KeptAnswer(
            user: user, key: text, fingerprint: Self.fingerprint(asked), status: response.status.code,
            fields: response.fields.flatMap { [$0.name, $0.value] }, body: body)
    }

    static func fingerprint(_ asked: [[UInt8]]) -> [UInt8] {
        var hash = SHA256()
        for part in asked {
            hash.update(withUnsafeBytes(of: UInt64(part.count).bigEndian) { Array($0) })
            hash.update(part)
        }
        return hash.finish().bytes
    }
}

/// The keys whose requests run now.
final class RunningKeys: Sendable {
    private let keys = Lock<Set<IdempotencyKey>>([])

    /// Whether nobody else works under this key.
    func begin(_ key: IdempotencyKey) -> Bool { keys.withLock { $0.insert(key).inserted } }

    func end(_ key: IdempotencyKey) { keys.withLock { _ = $0.remove(key) } }
}

extension API {
    /// Runs `work` under the request's key, if it has one, and never twice at once.
    func once(
        _ request: Request, of user: UserID, _ work: (IdempotencyKey?) async throws -> Response
    ) async throws -> Response {
        guard let key = try IdempotencyKey(request, of: user) else { return try await work(nil) }
        guard running.begin(key) else { throw RequestProblem.stillRunning }
        defer { running.end(key) }
        return try await work(key)
    }

    /// The answer that was given to this request before; nil when there was none.
    ///
    /// - Throws: When the key was used for something else.
    func keptAnswer(_ key: IdempotencyKey?, to asked: [[UInt8]]) async throws -> Response? {
        guard let key, let kept = try await store.keptAnswer(to: key.text, of: key.user) else { return nil }
        guard kept.fingerprint == IdempotencyKey.fingerprint(asked) else { throw RequestProblem.keyUsed }
        return Response(kept)
    }
}

extension Response {
    /// An answer that is kept, as it was given.
    init(_ kept: KeptAnswer) {
        var fields = HTTPFields()
        for index in stride(from: 0, to: kept.fields.count - 1, by: 2) {
            fields.add(kept.fields[index], kept.fields[index + 1])
        }
        self.init(HTTPStatus(code: kept.status), fields: fields, body: .bytes(kept.body))
    }
}

extension RequestProblem {
    static let stillRunning = RequestProblem(
        details: ProblemDetails(
            type: "/problems/still-running", status: .conflict, title: "The same request is still being worked on",
            detail: "Send it again a little later to get its answer.", retryAfter: .seconds(1)))

    static let keyUsed = RequestProblem(
        details: ProblemDetails(
            type: "/problems/key-used", status: .unprocessableContent,
            title: "The Idempotency-Key was used for another request"))
}
