internal import Actions
internal import Crypto
internal import Domain
internal import HTTP
package import HTTPServer
internal import Logging
internal import Submitters

extension PageHandlers {
    /// `GET /auth/{service}/callback`: where services send a person back to who has agreed, or not.
    ///
    /// Nothing of the query gets into a response or a log.
    package func endAuthorization(_ request: HTTPRequest) async throws -> HTTPResponse {
        let language = Language(request)
        let ended: AuthorizationResult
        do {
            // A browser that has signed out in the meantime has nothing to show.
            let caller = try await signedIn(request)
            let initiator = Initiator(.browser, user: caller?.user.id, network: request.network)
            ended = try await Initiator.$current.withValue(initiator) {
                try await accounts.end(
                    AuthorizationCallback(
                        service: request.parameters["service"] ?? "", parameters: request.query,
                        browser: caller == nil ? nil : browserSecret(request)?.reveal()))
            }
        } catch let refusal as AuthorizationError {
            logger.notice("connection not ended", ["reason": "\(refusal)", "request": request.id])
            return notice(
                .notConnected, [.refusal(refusal)], in: language, status: .badRequest,
                way: "<p><a href=\"\(Self.connectionsPath)\">\(language(.allConnections))</a></p>\n")
        }
        switch ended.outcome {
        case .connected(let made):
            if ended.isOfBrowser { return backToSettings("\(Self.path(of: made.id))?done=connected") }
            return notice(
                .connected, [.connected(ended.serviceName, as: made.account), .mayClose], in: language, status: .ok)
        case .arrived(let code):
            return arrived(ended, code, language)
        case .refused(let error):
            logger.notice("account not connected", ["problem": error.problem.code.rawValue, "request": request.id])
            if ended.isOfBrowser {
                return backToSettings("\(Self.connectPath(of: ended.service))?begun=\(ended.id)")
            }
            return refused(ended, error, language)
        }
    }

    /// The phone that began ends it, with its token and this code.
    private func arrived(
        _ ended: AuthorizationResult, _ code: Secret<String>, _ language: Language
    ) -> HTTPResponse {
        guard let address = ended.returnTo, returnSchemes.contains(address.scheme) else {
            var sentences: [Phrase] = [
                .enterCode(code.reveal()), .becomesAccount(of: ended.userName), .notBegunYourself,
            ]
            if ended.returnTo != nil { sentences.append(.appIsNotNamed) }
            return notice(.nearlyConnected, sentences, in: language, status: .ok)
        }
        return backToApp(
            address.adding([
                ("authorization", ended.id.description), ("code", code.reveal()), ("service", ended.service),
            ]))
    }

    private func refused(
        _ ended: AuthorizationResult, _ error: SubmissionError, _ language: Language
    ) -> HTTPResponse {
        guard let address = ended.returnTo, returnSchemes.contains(address.scheme) else {
            return notice(
                .notConnected, [Phrase(error.problem), .mayClose], in: language, status: .badRequest)
        }
        return backToApp(
            address.adding([
                ("authorization", ended.id.description), ("error", "not_connected"),
                ("error_description", error.problem.text),
            ]))
    }

    /// The address that the browser is at is secret.
    private func backToSettings(_ path: String) -> HTTPResponse {
        var response = HTTPResponse.seeOther(path)
        response.fields.set("Referrer-Policy", "no-referrer")
        return response
    }
}
