internal import Actions
internal import HTTP
internal import HTTPServer
internal import Store

/// The pages that links in mails open: they need no session, and nothing changes before somebody presses the button, since programs that look through
/// mail open links too.
extension PageHandlers {
    static let confirmPath = "/mail/confirm"
    static let unsubscribePath = "/mail/unsubscribe"

    func showConfirmation(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = request.query["token"] ?? ""
        guard let found = try await mail?.addressToConfirm(token) else { return endedLink(request) }
        let say = Language(request)
        return withVisit(request) { forms in
            Page(
                language: say, title: "\(say(.confirmAddress)) · Pics",
                content: """
                    <h1>\(say(.confirmAddress))</h1>
                    <p>\(say.marked(.addressOf(found.address, found.userName)))</p>
                    <form class="form" method="post" action="\(Self.confirmPath)">
                    \(forms.input)<input type="hidden" name="token" value="\(token)">
                    <button>\(say(.confirm))</button>
                    </form>

                    """
            ).personal()
        }
    }

    func confirmMail(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try await form(of: request, visitForms(request))
        guard let found = try await mail?.confirm(form["token"] ?? "") else { return endedLink(request) }
        let say = Language(request)
        return Page(
            language: say, title: "\(say(.addressIsConfirmed)) · Pics",
            content: """
                <h1>\(say(.addressIsConfirmed))</h1>
                <p>\(say.marked(.addressOf(found.address, found.userName)))</p>

                """
        ).personal()
    }

    func showUnsubscribe(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = request.query["token"] ?? ""
        guard let address = try await mail?.subscription(token) else { return endedLink(request) }
        let say = Language(request)
        let way: HTML = """
            <form class="form" method="post" action="\(Self.unsubscribePath)?token=\(token)">
            <button>\(say(.unsubscribe))</button>
            </form>

            """
        return notice(.unsubscribe, [.stopMail(address)], in: say, status: .ok, way: way)
    }

    /// Takes the request of a mail program too, which has neither cookies nor a page of ours (RFC 8058, section 3.2): the token alone lets it in.
    func unsubscribe(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let address = try await mail?.unsubscribe(request.query["token"] ?? "") else {
            return endedLink(request)
        }
        return notice(.unsubscribed, [.noMoreMail(address)], in: Language(request), status: .ok)
    }

    func endedLink(_ request: HTTPRequest) -> HTTPResponse {
        notice(.linkHasEnded, [.askForAnother], in: Language(request), status: .notFound)
    }
}
