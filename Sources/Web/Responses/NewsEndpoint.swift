internal import Actions
internal import HTTP
internal import HTTPServer
internal import Store

/// Where services tell that somebody has responded to a post.
extension PageHandlers {
    static let newsOfAccountPath = "\(NewsSubscriptions.path)/{id}/{code}"
    static let newsOfServicePath = "\(NewsSubscriptions.path)/{service}"

    /// `POST /news/ACCOUNT/CODE`: a Web Push message (RFC 8030), whose content is not read.
    func receiveNewsOfAccount(_ request: HTTPRequest) async throws -> HTTPResponse {
        _ = try await request.body.collect(upTo: 8192)
        guard try await news.isTold(of: try request.identifier(), code: request.parameters["code"] ?? "") else {
            throw StoreError.notFound
        }
        return HTTPResponse(.created)
    }

    /// `GET /news/SERVICE`: a service checks the address.
    func answerNewsCheck(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let answer = news.challenge(of: request.parameters["service"] ?? "", request.query) else {
            throw StoreError.notFound
        }
        return .text(answer, fields: ["Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"])
    }

    /// `POST /news/SERVICE`: a message that the service has signed.
    func receiveNewsOfService(_ request: HTTPRequest) async throws -> HTTPResponse {
        let service = request.parameters["service"] ?? ""
        // Before the body and the keys are read.
        guard news.isSigned(by: service, field: { request.fields[$0] }) else { return HTTPResponse(.forbidden) }
        let body = try await request.body.collect(upTo: 1 << 18)
        guard try await news.isTold(by: service, body, field: { request.fields[$0] }) else {
            return HTTPResponse(.forbidden)
        }
        return HTTPResponse(.noContent)
    }
}
