internal import Domain
internal import Foundation
internal import HTTP

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
        guard let parts = URLComponents(string: url), let host = parts.serverHost?.lowercased(),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http"
        else {
            throw .rejected(
                .valueInvalid, ProblemParameters(label: "The address of the server", example: "https://social.example"))
        }
        guard scheme == "https" || policy == .any else {
            throw .rejected(
                .valueInvalid, ProblemParameters(label: "The address of the server", example: "https://social.example"))
        }
        let defaultPort = scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
        authority = host + port
        description = "\(scheme)://\(authority)"
    }
}
