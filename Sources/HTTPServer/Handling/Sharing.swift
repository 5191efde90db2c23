internal import HTTP

/// A `CORSPolicy` made ready for answering: what is said to each origin is put together once.
final class Sharing: Sendable {
    private let policy: CORSPolicy
    private let router: Router
    private let prefix: String
    private let allowances: [Allowance]
    private let preflightFields: HTTPFields

    /// The lines for an origin.
    private struct Allowance {
        /// Nil for all.
        let origin: [UInt8]?
        let preflight: [UInt8]
        let answer: [UInt8]

        init(_ origin: String?, _ policy: CORSPolicy) {
            self.origin = origin.map { Array($0.utf8) }
            let line = "Access-Control-Allow-Origin: \(origin ?? "*")\r\n"
            preflight = Array(line.utf8)
            let exposed = policy.exposedHeaders.joined(separator: ", ")
            answer = exposed.isEmpty ? preflight : preflight + "Access-Control-Expose-Headers: \(exposed)\r\n".utf8
        }
    }

    init(_ policy: CORSPolicy, _ router: Router) {
        self.policy = policy
        self.router = router
        prefix = policy.path + "/"
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

    private func covers(_ path: String) -> Bool { path.hasPrefix(prefix) || path == policy.path }

    /// What the client's origin is allowed; nil without an origin that is on the list.
    private func allowance(_ exchange: Exchange) -> Allowance? {
        if policy.origins == .any { return allowances[0] }
        guard let wishes = exchange.wishes, wishes.mentions.contains(.origin),
            let range = wishes.firstValue("Origin")
        else { return nil }
        return allowances.first { $0.origin?.elementsEqual(wishes.bytes[range]) ?? false }
    }

    /// The answer to a preflight request, which no handler gets to see: it carries no token (Fetch, section 4.8).
    ///
    /// Of a path that is not there everything is allowed, so that the page may read that it is not there.
    func preflight(_ exchange: Exchange) -> Response? {
        guard let mentions = exchange.wishes?.mentions, mentions.isSuperset(of: [.origin, .requestMethod]),
            exchange.method == .options, covers(exchange.path)
        else { return nil }
        let methods = router.allow(exchange.path)
        guard allowance(exchange) != nil else { return Response(.noContent, fields: ["Allow": methods]) }
        var fields = preflightFields
        fields.add("Access-Control-Allow-Methods", methods)
        return Response(.noContent, fields: fields)
    }

    /// What every answer says to pages of other origins, errors too, or their reasons could not be read.
    func add(to additions: inout AnswerAdditions, _ exchange: Exchange) {
        guard covers(exchange.path) else { return }
        if policy.origins != .any { additions.variation.insert(.origin) }
        guard let allowance = allowance(exchange) else { return }
        additions.sharing = exchange.method == .options ? allowance.preflight : allowance.answer
    }
}
