internal import HTTP

/// Which pages of other origins may use a part of the server (Fetch standard, section 3.2).
///
/// They never send credentials of the browser: the caller brings a token.
package struct CORSPolicy: Sendable, Equatable {
    /// Where pages may come from.
    package enum Origins: Sendable, Equatable {
        /// From anywhere.
        case any
        /// From exactly these, written as browsers do: `https://app.example`, small letters, no default port.
        case only([String])
    }

    package var origins: Origins
    /// The paths that are shared: these, and those that go on behind them with a slash.
    package var paths: [String]
    /// The request fields that a page may set. A `*` would not cover `Authorization` (Fetch, section 4.9), so all are named.
    package var requestHeaders = [
        "Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "X-Request-ID",
        "Upload-Offset", "Upload-Length", "Upload-Complete", "Upload-Metadata", "Upload-Defer-Length",
        "Upload-Checksum", "Upload-Concat", "Upload-Draft-Interop-Version", "Upload-Incomplete", "Tus-Resumable",
        "X-HTTP-Method-Override", "X-Requested-With", "Content-Disposition", "Content-Digest", "Repr-Digest",
    ]
    /// The response fields that a page may read.
    package var exposedHeaders = [
        "Location", "Link", "ETag", "Retry-After", "RateLimit", "RateLimit-Policy", "X-Request-ID",
        "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
        "Upload-Offset", "Upload-Length", "Upload-Complete", "Upload-Incomplete", "Upload-Limit", "Upload-Metadata",
        "Upload-Expires",
        "Upload-Defer-Length", "Upload-Concat", "Upload-Draft-Interop-Version", "Tus-Resumable", "Tus-Version",
        "Tus-Extension", "Tus-Max-Size", "Tus-Checksum-Algorithm",
    ]
    /// How long a browser may remember what it was allowed; Chromium takes no more than two hours.
    package var maxAge: Duration = .seconds(7200)

    /// Shares `paths` with pages of `origins`.
    package init(_ origins: Origins, paths: [String]) {
        self.origins = origins
        self.paths = paths
    }

    /// Shares `path` with pages of `origins`.
    package init(_ origins: Origins, path: String) { self.init(origins, paths: [path]) }
}

/// A `CORSPolicy` made ready for answering: what is said to each origin is put together once.
final class CORSResponder: Sendable {
    private let policy: CORSPolicy
    private let router: Router
    private let allowances: [Allowance]
    private let preflightFields: HTTPFields

    /// The lines for an origin.
    private struct Allowance {
        /// Nil for all.
        let origin: [UInt8]?
        let preflight: [UInt8]
        let response: [UInt8]

        init(_ origin: String?, _ policy: CORSPolicy) {
            self.origin = origin.map { Array($0.utf8) }
            let line = "Access-Control-Allow-Origin: \(origin ?? "*")\r\n"
            preflight = Array(line.utf8)
            let exposed = policy.exposedHeaders.joined(separator: ", ")
            response = exposed.isEmpty ? preflight : preflight + "Access-Control-Expose-Headers: \(exposed)\r\n".utf8
        }
    }

    init(_ policy: CORSPolicy, _ router: Router) {
        self.policy = policy
        self.router = router
        allowances =
            switch policy.origins {
            case .any: [Allowance(nil, policy)]
            case .only(let origins): origins.map { Allowance($0, policy) }
            }
        preflightFields = [
            "Access-Control-Allow-Headers": policy.requestHeaders.joined(separator: ", "),
            "Access-Control-Max-Age": String(policy.maxAge.components.seconds),
        ]
    }

    private func covers(_ path: String) -> Bool { policy.paths.contains { path.isWithin($0) } }

    /// The lines for the client's origin; nil without an origin that is on the list.
    private func allowance(_ exchange: Exchange) -> Allowance? {
        if policy.origins == .any { return allowances[0] }
        guard let negotiationFields = exchange.negotiationFields, negotiationFields.mentions.contains(.origin),
            let range = negotiationFields.firstValue("Origin")
        else { return nil }
        return allowances.first { $0.origin?.elementsEqual(negotiationFields.bytes[range]) ?? false }
    }

    /// The response to a preflight request, which no handler gets to see: it carries no token (Fetch, section 4.8).
    ///
    /// Of a path that is not there everything is allowed, so that the page may read that it is not there.
    func preflight(_ exchange: Exchange) -> HTTPResponse? {
        guard let mentions = exchange.negotiationFields?.mentions, mentions.isSuperset(of: [.origin, .requestMethod]),
            exchange.method == .options, covers(exchange.path)
        else { return nil }
        let methods = router.allow(exchange.path)
        guard allowance(exchange) != nil else { return HTTPResponse(.noContent, fields: ["Allow": methods]) }
        var fields = preflightFields
        fields.add("Access-Control-Allow-Methods", methods)
        return HTTPResponse(.noContent, fields: fields)
    }

    /// Adds the lines for pages of other origins, to errors too, or their reasons could not be read.
    func add(to decorations: inout ResponseDecorations, _ exchange: Exchange) {
        guard covers(exchange.path) else { return }
        if policy.origins != .any { decorations.variation.insert(.origin) }
        guard let allowance = allowance(exchange) else { return }
        decorations.corsLines = exchange.method == .options ? allowance.preflight : allowance.response
    }
}
