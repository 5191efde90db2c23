package import Crypto
package import HTTP
package import TLS

/// Why a certificate authority gave no certificate. Descriptions are safe for a log and for admins.
package enum ACMEError: Error, Sendable, CustomStringConvertible {
    /// The directory or an answer has not the form of RFC 8555; the parameter says what is missing.
    case unexpected(String)
    /// The authority refuses.
    case refused(ACMEProblem)
    /// The authority could not see that a name leads here.
    case notValidated(name: String, ACMEProblem)
    /// The authority took longer than the order may last.
    case tooLate
    case transport(TransportError)
    case tls(TLSError)
    case crypto(CryptoError)

    /// When the authority wants to be asked again, if it has said so.
    package var retryAfter: Duration? {
        if case .refused(let problem) = self { problem.retryAfter } else { nil }
    }

    package var description: String {
        switch self {
        case .unexpected(let what): "the answer of the certificate authority has no \(what)"
        case .refused(let problem): "the certificate authority refuses: \(problem)"
        case .notValidated(let name, let problem): "the certificate authority could not reach \(name): \(problem)"
        case .tooLate: "the certificate authority took too long"
        case .transport(let error): "the certificate authority: \(error)"
        case .tls(let error): "\(error)"
        case .crypto(let error): "\(error)"
        }
    }
}

/// A problem document of the authority (RFC 8555, section 6.7).
package struct ACMEProblem: Sendable, Equatable, CustomStringConvertible {
    /// What follows `urn:ietf:params:acme:error:`, such as `dns`; empty for another type.
    package let kind: String
    /// In the authority's words, at most 500 characters without controls.
    package let detail: String
    /// As the response says it.
    package let retryAfter: Duration?

    package var description: String { kind.isEmpty ? detail : "\(detail) (\(kind))" }

    /// Reads a document; one without the members gives the status as its detail.
    init(_ document: JSONValue?, status: HTTPStatus?, fields: HTTPFields = [:]) {
        let type = document?["type"]?.string ?? ""
        let prefix = "urn:ietf:params:acme:error:"
        kind = type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count).prefix(60)) : ""
        // Of several names the fault may be that of one.
        let first = document?["subproblems"]?.array?.first
        let text = [document?["detail"]?.string, first?["detail"]?.string].compactMap { $0 }.joined(separator: " ")
        let fallback = status.map { "status \($0.code)" } ?? "no reason given"
        detail = String(
            String.UnicodeScalarView(
                (text.isEmpty ? fallback : text).unicodeScalars.prefix(500).map {
                    $0.properties.generalCategory == .control ? " " : $0
                }))
        retryAfter = fields["Retry-After"].flatMap { Int64($0) }.map { .seconds(max(0, min($0, 7 * 86_400))) }
    }
}
