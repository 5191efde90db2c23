internal import Fakes
internal import HTTP
internal import Testing

/// A status that refuses to publish.
enum Refusal: Int, CaseIterable, Sendable, CustomTestStringConvertible {
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case conflict = 409
    case tooLarge = 413
    case unprocessable = 422
    case tooMany = 429

    var testDescription: String { String(rawValue) }

    /// The documented behaviour of the services for it.
    func meaning(at subject: Subject) -> Meaning {
        if let meaning = subject.meanings[self] { return meaning }
        return switch self {
        case .unauthorized, .forbidden: .unauthorized
        case .notFound: .gone
        case .conflict: .unknownOutcome
        case .tooLarge, .unprocessable: .rejected
        case .tooMany: .limited
        }
    }
}

/// A failure of a request that leaves open whether the service has acted.
enum Trouble: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case internalError = "500"
    case badGateway = "502"
    case unavailable = "503"
    case timeout = "504"
    case resetBefore = "reset before"
    case resetAfter = "reset after"
    case malformed

    var testDescription: String { rawValue }

    /// Whether the service has done what it was asked to.
    var hasActed: Bool { self == .resetAfter || self == .malformed }

    var fault: Fault {
        switch self {
        case .internalError: .status(500)
        case .badGateway: .status(502, body: "<html>Bad gateway</html>")
        case .unavailable: .status(503, fields: ["Retry-After": "20"])
        case .timeout: .status(504, body: "")
        case .resetBefore: .resetBefore
        case .resetAfter: .resetAfter
        case .malformed: .malformed
        }
    }
}

extension Subject {
    /// The subjects with what goes wrong at them: everything at the first way of each service, and two things at each of its other ways, which share its code.
    static func each<Failure>(
        _ failures: [Failure], _ isWanted: (Subject) -> Bool = { _ in true }
    ) -> [(Subject, Failure)] {
        var ways: [String: Int] = [:]
        return remote.filter(isWanted).flatMap { subject in
            let way = ways[subject.service, default: 0]
            ways[subject.service] = way + 1
            let some = way == 0 ? failures : [way, way + failures.count / 2].map { failures[$0 % failures.count] }
            return some.map { (subject, $0) }
        }
    }
}
