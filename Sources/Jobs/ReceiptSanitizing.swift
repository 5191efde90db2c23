internal import Domain
internal import HTTP
internal import Submitters

// What a service wrote is bounded here, for all services, before it is stored. PostgreSQL's `text` and `jsonb` hold no
// NUL (PostgreSQL 15 manual, "Character Types" and "JSON Types").

extension Receipt {
    static let maximumRemoteIDBytes = 512

    /// The storable part: an address that is not http or https is left out.
    ///
    /// - Throws: `.unknownOutcome` when the post has no name that can be kept: who looks for it may find a better one.
    func sanitized(from service: String) throws(SubmissionError) -> Receipt {
        guard Self.isStorable(remoteID) else {
            throw .unknownOutcome(.unusableAnswer(of: service, remoteID), retryAfter: nil)
        }
        return Receipt(
            remoteID: remoteID, url: url.flatMap { $0.isWebAddress ? $0 : nil }, text: text?.sanitized,
            parts: parts.filter(Self.isStorable), problem: problem)
    }

    private static func isStorable(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= maximumRemoteIDBytes && !id.hasControls
    }
}

extension SubmissionProblem {
    /// A service wrote what cannot be kept.
    static func unusableAnswer(of service: String?, _ words: String) -> SubmissionProblem {
        SubmissionProblem(Problem(.unreadableResponse, ProblemParameters(service: service)), detail: words)
    }
}

extension JSONValue {
    /// Whether a `jsonb` can hold it.
    var isStorable: Bool {
        switch self {
        case .null, .bool, .int, .double: true
        case .string(let text): !text.utf8.contains(0)
        case .array(let elements): elements.allSatisfy { $0.isStorable }
        case .object(let members): members.allSatisfy { !$0.name.utf8.contains(0) && $0.value.isStorable }
        }
    }
}

extension String {
    /// With a sign of its absence for what a `text` cannot hold.
    var sanitized: String { replacing("\0", with: "\u{FFFD}") }

    fileprivate var hasControls: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
