internal import Domain
internal import Foundation
internal import HTTP

/// What a person has entered to connect an account.
struct EnteredValues: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) {
        self.values = values
    }

    /// A value without surrounding spaces; nil when it is missing or empty.
    subscript(name: String) -> String? {
        let value = (values[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
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
