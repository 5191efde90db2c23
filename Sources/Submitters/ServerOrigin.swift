internal import Foundation
internal import HTTP

/// Which servers users may name.
package enum ServerPolicy: Sendable {
    /// Only `https` servers at public addresses.
    case publicOnly
    /// Also `http`, and servers of the operator's own network.
    case any

    /// What a request to a server that a user has named may connect to.
    var addresses: AddressPolicy {
        switch self {
        case .publicOnly: .publicOnly
        case .any: .any
        }
    }
}

/// The origin of a server (RFC 6454): `https://social.example`, small letters, no default port, no path.
struct ServerOrigin: Sendable, Hashable, CustomStringConvertible {
    let description: String
    /// Host, and port unless it is the scheme's own.
    let authority: String

    /// Reads what a person has entered; `https://` may be left out, and a path is.
    ///
    /// - Throws: `.rejected` with a sentence that says what is wrong.
    init(_ entered: String, policy: ServerPolicy) throws(SubmissionError) {
        let trimmed = entered.trimmingCharacters(in: .whitespacesAndNewlines)
        let url = trimmed.contains("://") ? trimmed : "https://\(trimmed)"
        guard let parts = URLComponents(string: url), parts.user == nil,
            let host = parts.encodedHost?.lowercased(), !host.isEmpty, !host.contains("%"),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            parts.port.map({ 1...65535 ~= $0 }) ?? true
        else {
            throw .rejected(SubmissionProblem("This is not the address of a server, such as https://social.example."))
        }
        guard scheme == "https" || policy == .any else {
            throw .rejected(SubmissionProblem("The address of the server must begin with https://."))
        }
        let defaultPort = scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
        authority = host + port
        description = "\(scheme)://\(authority)"
    }
}
