internal import Connecting
internal import Domain
package import HTTP
package import HTTPServer
internal import Logging
internal import Submitters

/// Where a browser goes that came back from a service.
package enum BrowserAnswer: Sendable {
    /// Back to the app.
    case app(String)
    /// To a page with a title and sentences.
    case page(title: String, sentences: [String], status: HTTPStatus)
}

extension API {
    /// `GET /auth/{service}/callback`: ends a connection with what the service sends the person back with.
    ///
    /// Nothing of the query gets into an answer or a log.
    package func endAuthorization(_ request: Request) async throws -> BrowserAnswer {
        let ended: EndedAuthorization
        do {
            ended = try await connecting.end(
                AuthorizationCallback(
                    service: request.parameters["service"] ?? "", parameters: request.query,
                    browser: Self.cookie(Connecting.cookie, of: request)))
        } catch let refusal as AuthorizationRefusal {
            logger.notice("connection not ended", ["reason": "\(refusal)", "request": request.id])
            return .page(title: "Not connected", sentences: [refusal.sentence], status: .badRequest)
        }
        switch ended.result {
        case .success(let made):
            noteConnection(made, of: ended.user)
            return answer(
                ended, [("connection", made.id.description), ("service", made.service)],
                title: "Connected", "\(ended.serviceName) is connected as \(made.account).", .ok)
        case .failure(let error):
            logger.notice("account not connected", ["problem": error.sentence, "request": request.id])
            return answer(
                ended, [("error", "not_connected"), ("error_description", error.sentence)], title: "Not connected",
                error.sentence, .badRequest)
        }
    }

    private func answer(
        _ ended: EndedAuthorization, _ parameters: [(name: String, value: String)], title: String, _ sentence: String,
        _ status: HTTPStatus
    ) -> BrowserAnswer {
        guard let address = ended.returnTo else {
            return .page(title: title, sentences: [sentence, "You may close this page."], status: status)
        }
        guard returnSchemes.contains(address.scheme) else {
            return .page(
                title: title,
                sentences: [
                    sentence,
                    "Go back to the app by yourself: the setting return_schemes of this Pics does not name its addresses.",
                ], status: status)
        }
        return .app(address.adding(parameters))
    }

    private static func cookie(_ name: String, of request: Request) -> String? {
        for pair in (request.fields["Cookie"] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].drop(while: { $0 == " " }) == name { return String(parts[1]) }
        }
        return nil
    }
}
