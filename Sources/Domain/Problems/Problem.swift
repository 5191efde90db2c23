package import FoundationEssentials

/// Why a post, an account or a service is in trouble: a stable code, and what makes it concrete. It holds nothing that a service wrote.
package struct Problem: Sendable, Equatable, Codable {
    package let code: ProblemCode
    package var parameters: ProblemParameters

    package init(_ code: ProblemCode, _ parameters: ProblemParameters = ProblemParameters()) {
        self.code = code
        self.parameters = parameters
    }

    /// A text that no code stands for.
    package static func other(_ text: String) -> Problem { Problem(.other, ProblemParameters(words: text)) }

    /// Only a person can find out at `service` whether it was posted.
    package static func outcomeUnknown(_ reason: ProblemParameters.Reason, at service: String? = nil) -> Problem {
        Problem(.outcomeUnknown, ProblemParameters(service: service, reason: reason))
    }

    /// The same for a user who is connecting an account: nothing is retried, and nothing has to be connected again.
    package var whenConnecting: Problem { at(.connecting) }

    /// The same for a user who waits for an answer of the service, such as a list of albums: nothing is retried.
    package var whenAsking: Problem { parameters.phase == nil ? at(.asking) : self }

    private func at(_ phase: ProblemParameters.Phase) -> Problem {
        var problem = self
        problem.parameters.phase = phase
        return problem
    }
}

/// The members of a problem's `parameters`; which of them a code has, `docs/problems.md` lists.
package struct ProblemParameters: Sendable, Equatable, Codable {
    /// The service's name, as people write it.
    package var service: String?
    /// The HTTP status of the service's answer.
    package var status: Int?
    /// When Pics goes on.
    package var until: Date?
    package var scope: Scope?
    package var reason: Reason?
    /// The name of a field that a person fills in, and what people call it.
    package var field: String?
    package var label: String?
    /// A value that would do.
    package var example: String?
    /// The authentication scheme that a server asks for, such as `Digest`.
    package var scheme: String?
    /// The problem of the last attempt, where the attempts came to their bound; its own parameters stand beside it.
    package var cause: ProblemCode?
    /// The words of an admin, or of an earlier release.
    package var words: String?
    package var phase: Phase?

    /// Whose limit it is: the account's, or that of the application keys, which all accounts share.
    package enum Scope: String, Sendable, Codable {
        case account, app
    }

    /// The user's next action, where the queue does not act by itself.
    package enum Phase: String, Sendable, Codable {
        case connecting, asking
    }

    /// The cases that one code covers.
    package enum Reason: String, Sendable, Codable, CaseIterable {
        // Of `address_unusable`.
        case redirected
        case notPublic = "not_public"
        case invalidCertificate = "invalid_certificate"
        case notEncrypted = "not_encrypted"
        case noLogin = "no_login"
        // Of `media_unusable`.
        case cannotFit = "cannot_fit"
        case cannotEdit = "cannot_edit"
        case cannotStrip = "cannot_strip"
        case unreadable
        // Of `change_unsupported`, `attempts_exhausted` and `account_disconnected`: what was to be done with the post.
        case publish, edit, delete
        // Of `outcome_unknown`.
        case serviceCannotTell = "service_cannot_tell"
        case photoDeleted = "photo_deleted"
        case photoChanged = "photo_changed"
        case cancelled
        case disconnected
        case attemptsExhausted = "attempts_exhausted"
    }

    package init(
        service: String? = nil, status: Int? = nil, until: Date? = nil, scope: Scope? = nil, reason: Reason? = nil,
        field: String? = nil, label: String? = nil, example: String? = nil, scheme: String? = nil,
        cause: ProblemCode? = nil, words: String? = nil
    ) {
        self.service = service
        self.status = status
        self.until = until
        self.scope = scope
        self.reason = reason
        self.field = field
        self.label = label
        self.example = example
        self.scheme = scheme
        self.cause = cause
        self.words = words
    }
}

// MARK: As it is stored

extension Problem {
    /// `{"code", "parameters", "text"}`: the form of the columns `coded_problem`, which SQL functions take.
    package var stored: String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(Stored(self)), as: UTF8.self)
        } catch {
            // Strings, whole numbers and dates of ISO 8601 can all be written.
            preconditionFailure("a problem cannot be encoded: \(error)")
        }
    }

    /// Reads a stored problem, and the text beside it that release 0.1.0 reads and writes. The code counts while that is the text that it was written with.
    ///
    /// - Returns: Nil without a text: there is no problem. `.other` for a text without its code, and for a code of a newer release.
    package init?(text: String?, coded: String?) {
        guard let text else { return nil }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let stored: Stored?
        do {
            stored = try coded.map { try decoder.decode(Stored.self, from: Data($0.utf8)) }
        } catch {
            stored = nil
        }
        guard let stored, stored.text == text else {
            self = .other(text)
            return
        }
        self = Problem(stored.code, stored.parameters)
    }

    private struct Stored: Codable {
        let code: ProblemCode
        let parameters: ProblemParameters
        let text: String

        init(_ problem: Problem) {
            code = problem.code
            parameters = problem.parameters
            text = problem.text
        }
    }
}
