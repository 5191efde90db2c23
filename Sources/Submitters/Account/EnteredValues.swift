internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

/// The values that a person has entered to connect an account.
struct EnteredValues: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) {
        self.values = values
    }

    /// A value without surrounding spaces; nil when it is missing or empty.
    subscript(name: String) -> String? {
        let value = (values[name] ?? "").trimmed
        return value.isEmpty ? nil : value
    }

    /// A value that is needed; `what` says it to people.
    func required(_ name: String, _ what: String) throws(SubmissionError) -> String {
        guard let value = self[name] else {
            throw .rejected(.valueRequired, ProblemParameters(field: name, label: what))
        }
        return value
    }

    /// The origin under `name`, or the service's own.
    func origin(
        _ name: String = "base_url", default standard: String, policy: ServerPolicy
    ) throws(SubmissionError) -> String {
        try ServerOrigin(self[name] ?? standard, policy: policy).description
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
        guard let parts = URLComponents(entered: entered), let host = parts.serverHost?.lowercased(),
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

/// An origin that replaces all of a service's own, if any: a test, a proxy, a compatible product.
struct BaseURL: Sendable {
    private let url: String?

    /// Reads what was entered; nil leaves the service's own addresses.
    ///
    /// - Throws: `.rejected` when it is no address that `policy` allows.
    init(_ entered: String?, policy: ServerPolicy) throws(SubmissionError) {
        guard let entered else {
            url = nil
            return
        }
        url = try ServerOrigin(entered, policy: policy).description
    }

    /// Reads an account's settings.
    init(_ settings: JSONValue) { url = settings["base_url"]?.string }

    /// This one, or the service's own.
    func or(_ standard: String) -> String { url ?? standard }

    /// The settings that keep it with an account.
    var settings: JSONValue { url.map { ["base_url": .string($0)] } ?? [:] }
}
