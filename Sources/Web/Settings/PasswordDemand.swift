internal import Domain
internal import HTTP
internal import HTTPServer

extension PageHandlers {
    /// Asks for the caller's password before something grave, in a session that did not begin just now: it may be somebody else's.
    ///
    /// - Parameters:
    ///   - title: The act.
    ///   - request: Where the form came.
    ///   - form: It may have the password.
    ///   - caller: Who asks for it.
    ///   - names: The fields of the form that come again with the password.
    ///   - place: The page of the settings that it belongs to.
    /// - Returns: The page that asks, also when too many were wrong; nil where the password came along, or need not come.
    /// - Throws: `StoreError`.
    func passwordPage(
        to title: Phrase, _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser,
        keeping names: [String] = [], at place: String = PageHandlers.peoplePath
    ) async throws -> HTTPResponse? {
        guard !caller.isFresh else { return nil }
        let isEntered = form["password"] != nil
        do {
            if isEntered, try await hasPassword(form, request, caller) { return nil }
        } catch let error as RateLimitExceeded {
            return try await .limited(by: error) {
                passwordPage(
                    to: title, request, form, caller, keeping: names, at: place, notice: $0, status: .tooManyRequests)
            }
        }
        return passwordPage(
            to: title, request, form, caller, keeping: names, at: place,
            notice: isEntered ? .failed(.wrongPassword) : nil, status: isEntered ? .unprocessableContent : .ok)
    }

    private func passwordPage(
        to title: Phrase, _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser, keeping names: [String],
        at place: String, notice: Notice?, status: HTTPStatus
    ) -> HTTPResponse {
        let say = caller.language
        let fields = names.compactMap { name -> HTML? in
            form[name].map { "<input type=\"hidden\" name=\"\(name)\" value=\"\($0)\">" }
        }
        return settingsPage(
            place, caller, title: title, notice: notice, status: status,
            """
            <p>\(say(.enterPasswordFirst))</p>
            <form class="form" method="post" action="\(request.path)">
            \(caller.formInput)\(HTML.join(fields))\(caller.passwordField(isFocused: true))\
            <button>\(say(title))</button>
            </form>
            <p class="facts"><a href="\(place)">\(say(.ratherNot))</a></p>

            """)
    }
}
