internal import HTTP
package import HTTPServer
internal import Logging
internal import Store
internal import Webmentions

/// Where other sites say that they mention a photo (Webmention, W3C Recommendation of 2017-01-12).
extension PageHandlers {
    static let webmentionPath = "/webmention"

    /// Of one host that may wait at a time, and of all.
    private static let (mostWebmentionsOfHost, mostWebmentions) = (50, 2000)

    /// `POST /webmention`: takes `source` and `target`; the source is read soon. No cookie counts here.
    func receiveWebmention(_ request: HTTPRequest) async throws -> HTTPResponse {
        try rates.charge(.webmentions, for: request)
        guard let type = request.fields["Content-Type"].flatMap({ MediaType($0) }),
            type.essence == "application/x-www-form-urlencoded",
            let form = FormFields(try await request.body.collect(upTo: 16_384), limit: 100)
        else { return Self.told(.badRequest, "Send source and target as application/x-www-form-urlencoded.") }
        let mention: WebmentionRequest
        do throws(WebmentionRequest.Mistake) {
            mention = try WebmentionRequest(form, addresses: addresses, servers: servers)
        } catch {
            return Self.told(.badRequest, error.description)
        }
        let acceptance = try await store.take(
            webmentionFrom: mention.source, to: mention.target, host: mention.host, code: mention.code,
            mostOfHost: Self.mostWebmentionsOfHost, most: Self.mostWebmentions)
        switch acceptance {
        case .accepted:
            logger.info("webmention received", ["host": mention.host, "request": request.id])
            return Self.told(.accepted, "The page will be read soon.")
        case .refused: return Self.told(.badRequest, "target takes no webmentions.")
        case .busy:
            var response = Self.told(.serviceUnavailable, "Too many webmentions wait. Send it again later.")
            response.fields.add("Retry-After", "600")
            return response
        }
    }

    private static func told(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        .text(text + "\n", status: status, fields: ["Cache-Control": "no-store"])
    }
}

extension RatePolicy.Name {
    /// Webmentions that an address sends.
    package static let webmentions = RatePolicy.Name("webmentions")
}
