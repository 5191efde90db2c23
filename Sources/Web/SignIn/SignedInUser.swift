internal import Actions
internal import Authentication
internal import Blobs
package import Domain
internal import HTTP
package import HTTPServer
internal import Store

/// A person who has signed in, as the handlers of their pages see them.
package struct SignedInUser: Sendable {
    package let user: User
    package let session: SessionID
    /// Whether they signed in minutes ago. Where not, what outlives the session wants the password again (OWASP ASVS 4.0.3, 3.7.1).
    let isFresh: Bool
    /// Whether they have a password; without one they have signed in another way.
    let hasPassword: Bool
    let forms: FormToken
    /// The language of their browser.
    let language: Language

    /// The hidden field that every form of their pages needs.
    var formInput: HTML { forms.input }

    /// The field of their password, before something that needs it. For who has none a fresh session stands for it.
    func passwordField(_ label: Phrase = .yourPassword, isFocused: Bool = false) -> HTML {
        if hasPassword { return HTML.currentPassword(language(label), isFocused: isFocused) }
        return isFresh ? .nothing : "<p>\(language(.signInAgain))</p>\n"
    }
}

/// The people who may open a page.
enum PageAudience: Sendable {
    case users
    case admins
}

extension PageHandlers {
    /// A page for those who have signed in; others are sent to sign in, and come back then.
    func page(
        _ path: String, _ operation: Operation, for audience: PageAudience = .users, costs cost: RouteCost = .ordinary,
        _ handler: @escaping @Sendable (HTTPRequest, SignedInUser) async throws -> HTTPResponse
    ) -> Route {
        Route(.get, path, operation: operation, costs: cost) { [self] request in
            try await response(request) { [self] request in
                guard let caller = try await signedIn(request) else { return Self.toSignIn(next: request.rawTarget) }
                try caller.demand(audience)
                _ = try rates.charge(cost, subject: caller.user.id.description)
                return try await initiated(by: caller, request) { try await handler(request, caller) }
            }
        }
    }

    /// A form of such a page. The handler gets it only if a page of ours in this browser has sent it.
    func form(
        _ path: String, _ operation: Operation, for audience: PageAudience = .users, costs cost: RouteCost = .ordinary,
        _ handler: @escaping @Sendable (HTTPRequest, FormFields, SignedInUser) async throws -> HTTPResponse
    ) -> Route {
        Route(.post, path, operation: operation, costs: cost) { [self] request in
            try await formResponse(request, for: audience, costs: cost, handler)
        }
    }

    /// The response to a form: the handler's, if a page of ours in this browser has sent it.
    func formResponse(
        _ request: HTTPRequest, for audience: PageAudience = .users, costs cost: RouteCost = .ordinary,
        _ handler: @escaping @Sendable (HTTPRequest, FormFields, SignedInUser) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await response(request) { [self] request in
            guard isFromHere(request) else { throw PageProblem.foreignForm }
            guard let early = try await signedIn(request) else { return Self.toSignIn(next: LocalPath.home) }
            let form = try await form(of: request, early.forms)
            // Who the person is now counts: a body may take minutes, and a session or a right may end meanwhile.
            guard let caller = try await signedIn(request) else { return Self.toSignIn(next: LocalPath.home) }
            try caller.demand(audience)
            _ = try rates.charge(cost, subject: caller.user.id.description)
            return try await initiated(by: caller, request) { try await handler(request, form, caller) }
        }
    }

    /// A form with files, by default a photo, which the handler reads as it comes, and lets in only if a page of ours in this browser has
    /// sent it.
    func photoForm(
        _ path: String, _ operation: Operation, limit: Int64? = nil,
        _ handler: @escaping @Sendable (HTTPRequest, SignedInUser) async throws -> HTTPResponse
    ) -> Route {
        Route(
            .post, path, operation: operation, bodyLimit: limit ?? photoFormLimit, costs: .charging(.uploads)
        ) { [self] request in
            try await response(request) { [self] request in
                guard isFromHere(request) else { throw PageProblem.foreignForm }
                guard let caller = try await signedIn(request) else {
                    return request.wantsJSON ? .uncached([:], .unauthorized) : Self.toSignIn(next: path)
                }
                _ = try rates.charge(.charging(.uploads), subject: caller.user.id.description)
                return try await initiated(by: caller, request) { try await handler(request, caller) }
            }
        }
    }

    /// An address for the scripts of our pages, which get JSON, and 401 where nobody has signed in. No form token is needed: browsers
    /// ask before they send `PATCH` elsewhere (Fetch, section 4.8), and Pics does not agree; a `GET` changes nothing.
    func script(
        _ method: HTTPMethod, _ path: String, _ operation: Operation, costs cost: RouteCost = .ordinary,
        _ handler: @escaping @Sendable (HTTPRequest, SignedInUser) async throws -> HTTPResponse
    ) -> Route {
        Route(method, path, operation: operation, bodyLimit: photoFormLimit, costs: cost) { [self] request in
            try await response(request) { [self] request in
                guard isFromHere(request) else { throw PageProblem.foreignForm }
                guard let caller = try await signedIn(request) else { return .uncached([:], .unauthorized) }
                _ = try rates.charge(cost, subject: caller.user.id.description)
                return try await initiated(by: caller, request) { try await handler(request, caller) }
            }
        }
    }

    /// Does what somebody in a browser has asked for, in their name; nil: nobody has signed in.
    func initiated(
        by caller: SignedInUser?, _ request: HTTPRequest, _ make: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let initiator = Initiator(.browser, user: caller?.user.id, network: request.network)
        return try await Initiator.$current.withValue(initiator) { try await make() }
    }

    /// The address to which another app shares photos, where no service worker has taken them. Nothing of them is kept: the request
    /// has no form token, and any site could have sent it.
    func shareRoute(_ path: String, _ operation: Operation) -> Route {
        Route(.post, path, operation: operation, bodyLimit: photoFormLimit) { [self] request in
            try await response(request) { [self] request in
                guard try await signedIn(request) != nil else { return Self.toSignIn(next: Self.sharedInVain) }
                // A browser reads no answer before it has sent all.
                try await request.body.forEach(within: blobs.places) { _ in }
                return .seeOther(Self.sharedInVain)
            }
        }
    }

    /// Where it says that photos have to be shared again.
    private static let sharedInVain = "/new?share=again"

    /// The bytes of a form with a photo at most.
    private var photoFormLimit: Int64 { actions.limits.fileBytes + Int64(actions.limits.textBytes) * 16 }

    /// Finds whose browser it is; nil when it has not signed in, or not lately, and for what a page of another site has it load.
    package func signedIn(_ request: HTTPRequest) async throws -> SignedInUser? {
        guard request.isOfOwnSite, let token = BrowserCookie.session.token(in: request) else { return nil }
        guard let found = try await management.signIns.session(token) else { return nil }
        return SignedInUser(
            user: found.user, session: found.id, isFresh: found.isFresh, hasPassword: found.hasPassword,
            forms: FormToken(cookie: token),
            language: Language(request))
    }

    static func toSignIn(next: String) -> HTTPResponse {
        .seeOther("/login?next=\(PercentEncoding.encode(LocalPath(next)?.text ?? LocalPath.home))")
    }
}

extension SignedInUser {
    fileprivate func demand(_ audience: PageAudience) throws(PageProblem) {
        guard audience == .users || user.isAdmin else { throw .adminsOnly }
    }
}

extension HTTPRequest {
    /// Whether a page of ours or a person's own act has caused it, a link that leads here from elsewhere included; true where the browser
    /// does not say. A picture, a frame, a script or a WebSocket in a page of another site is none, nor is one of another host of the
    /// same domain, to which `SameSite` lets cookies go (Fetch Metadata, sections 2.1 to 2.3). A link that our service worker passes on
    /// has the destination `empty`, as a request made by it (Fetch, section 5.4); no script makes one of the mode `navigate` itself.
    fileprivate var isOfOwnSite: Bool {
        guard let site = fields["Sec-Fetch-Site"], site != "same-origin", site != "none" else { return true }
        return (method == .get || method == .head) && fields["Sec-Fetch-Mode"] == "navigate"
            && ["document", "empty"].contains(fields["Sec-Fetch-Dest"])
    }

    /// Whether a script of a page has sent it, which follows no redirects and reads no pages.
    var wantsJSON: Bool { fields["Accept"] == "application/json" }
}

extension HTTPResponse {
    /// JSON for the script of a page.
    static func uncached(_ json: JSONValue, _ status: HTTPStatus = .ok) -> HTTPResponse {
        .json(json, status: status, fields: ["Cache-Control": "no-store"])
    }

    /// Sends a browser to a page of ours after a form.
    static func seeOther(_ path: String) -> HTTPResponse {
        HTTPResponse(.seeOther, fields: ["Location": path, "Cache-Control": "no-store"])
    }
}

/// A path of this very site with its query, where somebody may be sent whatever a link says.
///
/// Browsers read `//host`, `/\host`, and both with tabs and line ends between, as other hosts (WHATWG URL standard, section
/// 4.4): only visible ASCII without a backslash is taken, and one slash in front.
struct LocalPath {
    /// The page of one's own photos, where somebody is led who came for nothing else.
    static let home = "/"

    let text: String

    init?(_ text: String) {
        guard text.utf8.count <= 6000, text.utf8.first == UInt8(ascii: "/"),
            text.utf8.dropFirst().first != UInt8(ascii: "/"),
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}
