internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Settings
internal import Store
internal import System

/// How much somebody may store, as admins decide it.
extension PageHandlers {
    func showStorageOfUser(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        try await personStoragePage(try await user(request), caller)
    }

    func setStorageOfUser(
        _ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser
    ) async throws -> HTTPResponse {
        let user = try await user(request)
        let entered = (form["limit"] ?? "").trimmed
        let bytes: Int64?
        switch entered {
        case "": bytes = nil
        case "0": bytes = 0
        default:
            // A number alone would count bytes, which nobody means.
            guard entered.last?.isNumber == false, let count = ByteCount(setting: entered) else {
                return try await personStoragePage(
                    user, caller, entered: entered, notice: .failed(.storageLimitNeedsUnit),
                    status: .unprocessableContent)
            }
            bytes = Int64(count.bytes)
        }
        try await store.setStorageQuota(of: user.id, to: bytes)
        logger.notice("storage limit changed", ["user": user.id, "by": caller.user.name, "request": request.id])
        return .seeOther("\(Self.peoplePath)?done=storage")
    }

    private func personStoragePage(
        _ user: User, _ caller: SignedInUser, entered: String? = nil, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        let usage = try await store.storage(of: user.id)
        let usual = actions.limits.storage
        func text(_ bytes: Int64) -> String { bytes == 0 ? "0" : ByteCount(bytes: Int(bytes)).settingText }
        let limit = entered ?? usage.ownQuota.map(text) ?? ""
        let field = HTML.field(
            say(.storageLimit), name: "limit",
            """
            value="\(limit)" maxlength="32" autocomplete="off" autocapitalize="none" spellcheck="false"\
            \(notice == nil ? .nothing : .autofocus)
            """, hint: say(.storageLimitHint(usual: usual > 0 ? text(usual) : nil)))
        return settingsPage(
            Self.peoplePath, caller, title: .storageLimit(of: user.name), notice: notice, status: status,
            """
            <p>\(say(StorageMeter(usage, usual: usual).use))</p>
            <form class="form" method="post" action="\(Self.peoplePath)/\(user.id.description)/storage">
            \(caller.formInput)\(field)<button>\(say(.keep))</button>
            </form>
            <p class="facts"><a href="\(Self.peoplePath)">\(say(.ratherNot))</a></p>

            """)
    }
}
