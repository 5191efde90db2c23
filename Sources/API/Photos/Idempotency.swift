internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension APIHandlers {
    /// The `Idempotency-Key` of a request; nil without one.
    func idempotencyKey(of request: HTTPRequest, _ user: UserID) throws(RequestProblem) -> IdempotencyKey? {
        guard let field = request.fields["Idempotency-Key"] else { return nil }
        guard let text = structuredString(field) else {
            throw .invalid("#/Idempotency-Key", "It must be a text of 1 to 255 visible characters.")
        }
        return IdempotencyKey(text, of: user)
    }
}

extension StoredResponse {
    /// A response whose body is in memory.
    init(_ response: HTTPResponse) {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        self.init(
            status: response.status.code, fields: response.fields.flatMap { [$0.name, $0.value] }, body: body)
    }
}

extension HTTPResponse {
    /// A response that was kept, as it was given.
    init(_ kept: IdempotentResponse) {
        var fields = HTTPFields()
        for index in stride(from: 0, to: kept.fields.count - 1, by: 2) {
            fields.add(kept.fields[index], kept.fields[index + 1])
        }
        self.init(HTTPStatus(code: kept.status), fields: fields, body: .bytes(kept.body))
    }
}
