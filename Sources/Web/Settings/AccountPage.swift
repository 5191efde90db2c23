internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store

/// Taking everything along, and leaving.
extension PageHandlers {
    static let accountPath = "/settings/account"

    func showAccount(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        accountPage(caller)
    }

    func downloadExport(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        download(try await exports.begin(for: caller.user))
    }

    private func download(_ export: Export) -> HTTPResponse {
        HTTPResponse(
            .ok,
            fields: [
                "Content-Type": "application/zip", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Content-Disposition": "attachment; filename=\"\(export.fileName)\"",
            ],
            body: .stream(length: export.bytes) { writer in try await export.send { try await writer.write($0) } })
    }

    private func accountPage(_ caller: SignedInUser, notice: Notice? = nil, status: HTTPStatus = .ok) -> HTTPResponse {
        let language = caller.language
        return settingsPage(
            Self.accountPath, caller, notice: notice, status: status,
            """
            <h2>\(language(.exportAll))</h2>
            <p>\(language(.exportExplained))</p>
            <p><a class="button" href="\(Self.accountPath)/export" download>\(language(.download))</a></p>
            <h2>\(language(.deleteAccount))</h2>
            <p>\(language(.deleteExplained))</p>
            <form class="form" method="post" action="\(Self.accountPath)/delete">
            \(caller.formInput)<input name="name" value="\(caller.user.name)" autocomplete="username" hidden>
            \(caller.passwordField())<button class="danger">\(language(.deleteIt))</button>
            </form>

            """)
    }

    func deleteAccount(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse
    {
        let (user, language) = (caller.user, caller.language)
        guard try await hasPassword(form, request, caller) else {
            return accountPage(
                caller, notice: .failed(.wrongPassword), status: .unprocessableContent)
        }
        do {
            try await users.delete(user, requestID: request.id)
        } catch ActionError.lastAdmin {
            return accountPage(caller, notice: .failed(.lastAdmin), status: .conflict)
        }
        var response = notice(.goodbye, [.accountIsGone], in: language, status: .ok)
        for cookie in [BrowserCookie.session, .device] {
            response.fields.add("Set-Cookie", cookie.removal(for: request))
        }
        return response
    }
}
