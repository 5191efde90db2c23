internal import HTTP

/// What takes the place of all of a service's own addresses, if anything does: a test, a proxy, a compatible product.
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

    /// What an account keeps of it.
    var settings: JSONValue { url.map { ["base_url": .string($0)] } ?? [:] }
}
