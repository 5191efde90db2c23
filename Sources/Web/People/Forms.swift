internal import Domain
internal import HTTP
internal import HTTPServer

extension PageHandlers {
    /// Forms have a few short fields.
    private static let formLimit = 64 << 10

    /// Reads a form that a page of ours in this browser has sent.
    ///
    /// - Throws: `PageProblem.foreignForm` when it came from elsewhere; `BodyError`.
    func form(of request: HTTPRequest, _ token: FormToken?) async throws -> FormFields {
        guard let token, isFromHere(request) else { throw PageProblem.foreignForm }
        guard let type = request.fields["Content-Type"].flatMap(MediaType.init),
            type.essence == "application/x-www-form-urlencoded",
            let form = FormFields(try await request.body.collect(upTo: Self.formLimit), limit: 100)
        else { throw PageProblem.unreadableForm }
        guard token.isIn(form) else { throw PageProblem.foreignForm }
        return form
    }

    /// Whether the browser says that one of our pages sent it, or does not say at all, as old ones.
    ///
    /// Sources: Fetch Metadata, section 2.3; Fetch, section 3.2 (`Origin`).
    func isFromHere(_ request: HTTPRequest) -> Bool {
        if let site = request.fields["Sec-Fetch-Site"], site != "same-origin" { return false }
        guard let origin = request.fields["Origin"] else { return true }
        let own = request.authority.map { "\(request.isSecure ? "https" : "http")://\($0)" }
        return [own, baseOrigin].contains { $0.map { equalsIgnoringCase($0, origin) } ?? false }
    }

    /// Scheme and host of the base address: behind a proxy that does not tell what it was asked for, the browser's origin.
    private var baseOrigin: String? {
        let base = addresses.base
        guard let scheme = base.firstRange(of: "://") else { return nil }
        return String(base[..<scheme.upperBound] + base[scheme.upperBound...].prefix { $0 != "/" })
    }
}
