internal import Actions
internal import Domain
package import HTTP
package import HTTPServer
internal import Logging
internal import Store

/// A problem of a browser's request, as its page says it.
package struct PageProblem: Error, Equatable {
    /// In English, for logs and programs.
    package let details: ProblemDetails
    let title: Phrase
    let sentence: Phrase

    package init(_ status: HTTPStatus, _ title: Phrase, _ sentence: Phrase, retryAfter: Duration? = nil) {
        details = ProblemDetails(
            status: status, title: title.english, detail: sentence.english, retryAfter: retryAfter)
        self.title = title
        self.sentence = sentence
    }

    static let busy = PageProblem(.serviceUnavailable, .tooManyAtDoor, .tryInSeconds, retryAfter: .seconds(5))
    static let foreignForm = PageProblem(.forbidden, .foreignForm, .foreignFormExplained)
    static let unreadableForm = PageProblem(.badRequest, .unreadableForm, .sendAgain)
    static let adminsOnly = PageProblem(.forbidden, .adminsOnly, .askAdmin)
    static let endedInvitation = PageProblem(.gone, .endedInvitation, .askForInvitation)
}

extension PageHandlers {
    /// Answers with a page also where something goes wrong.
    package func response(
        _ request: HTTPRequest, _ make: (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        do {
            return try await initiated(by: nil, request) { try await make(request) }
        } catch {
            // What the server ended itself, it answers itself.
            guard !(error is CancellationError), !(error is BodyError) else { throw error }
            let own = error as? PageProblem ?? (error as? ActionError == .passwordsBusy ? .busy : nil)
            let problem = own?.details ?? management.problem(error)
            if problem.status.code >= 500 {
                logger.error(
                    "request failed", ["request": request.id, "path": request.path, "error": logText(of: error)])
            }
            let language = Language(request)
            // Whoever is not there without a session may be there with one: a private photo is its owner's.
            let isSignedOut = BrowserCookie.session.token(in: request) == nil
            let mayBePrivate = problem.status == .notFound && request.parameters["code"] != nil && isSignedOut
            let bar = problem.status.code < 500 ? await bar(for: request) : nil
            return own.map { Self.problemPage($0.details, title: $0.title, sentence: $0.sentence, language, bar: bar) }
                ?? problemPage(problem, in: language, signInTo: mayBePrivate ? request.path : nil, bar: bar)
        }
    }

    /// Nil for those who have not signed in, and where that cannot be told: a problem is not answered with another one.
    private func bar(for request: HTTPRequest) async -> Bar? {
        do {
            return try await signedIn(request).map { Bar($0) }
        } catch {
            logger.warning("a problem page has no bar", ["request": request.id, "error": logText(of: error)])
            return nil
        }
    }
}

extension HTTPRequest {
    /// The identifier that stands in the path where the route's pattern has `{id}`.
    ///
    /// - Throws: `StoreError.notFound` for anything else, as for what does not exist.
    func identifier<Thing>() throws(StoreError) -> Identifier<Thing> {
        guard let id = parameters["id"].flatMap({ Identifier<Thing>($0) }) else { throw .notFound }
        return id
    }

    /// The short code that stands in the path where the route's pattern has `{code}`.
    ///
    /// - Throws: `StoreError.notFound` for what can be none.
    func shortCode() throws(StoreError) -> ShortCode {
        guard let code = parameters["code"].flatMap({ ShortCode($0) }) else { throw .notFound }
        return code
    }
}
