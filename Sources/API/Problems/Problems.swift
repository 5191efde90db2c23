internal import Actions
internal import Authentication
internal import Blobs
internal import Domain
internal import Glibc
package import HTTP
internal import HTTPServer
internal import Logging
internal import Media
internal import Store
internal import Submitters

/// A mistake in a request that was let in.
package struct RequestProblem: Error, Equatable {
    package let details: ProblemDetails

    /// A field of the request that cannot be taken: `pointer` is a JSON Pointer to it (RFC 6901) such as `#/caption`,
    /// `detail` says to people what is wrong with it.
    static func invalid(_ pointer: String, _ detail: String, isContent: Bool = false) -> RequestProblem {
        RequestProblem(
            details: ProblemDetails(InvalidField(pointer: pointer, detail: detail, isContent: isContent)))
    }

    static func unsupportedType(_ detail: String) -> RequestProblem {
        RequestProblem(
            details: ProblemDetails(
                type: "/problems/unsupported-media-type", status: .unsupportedMediaType,
                title: "This kind of content is not taken", detail: detail))
    }

    static func unreadablePicture(_ detail: String) -> RequestProblem {
        RequestProblem(
            details: ProblemDetails(
                type: "/problems/unreadable-picture", status: .unprocessableContent,
                title: "The picture cannot be read",
                detail: detail))
    }

    static func tooLarge(limit: Int64) -> RequestProblem {
        RequestProblem(
            details: ProblemDetails(
                type: "/problems/too-large", status: .contentTooLarge, title: "The file is too large",
                detail: "A file may have \(limit) bytes.", extensions: ["limit": .int(limit)]))
    }

    static let ifMatchRequired = RequestProblem(
        details: ProblemDetails(
            type: "/problems/precondition-required", status: .preconditionRequired,
            title: "This needs an If-Match field",
            detail: "Send the ETag of the photo as you know it, so that nobody's change is overwritten."))

    static let changed = RequestProblem(
        details: ProblemDetails(
            type: "/problems/changed", status: .preconditionFailed, title: "Changed in the meantime",
            detail: "Read it again, and repeat the change if it still makes sense."))
}

extension ProblemDetails {
    /// The response to an error of a handler. Nothing that a database, a file or a service said gets into it.
    package init(_ error: any Error) {
        switch error {
        case let error as RequestProblem: self = error.details
        case let error as ActionError: self.init(error)
        case let error as InvalidField: self.init(error)
        case let error as StoreError: self.init(error)
        case let error as AuthenticationError: self.init(error)
        case let error as MediaError: self.init(error)
        case let error as RateLimitExceeded: self = error.problem
        case BlobError.tooLarge(let limit): self = RequestProblem.tooLarge(limit: limit).details
        case BlobError.unexpectedDigest: self.init(ActionError.digestMismatch)
        case let error as SubmissionError: self.init(error)
        case let error as AuthorizationStartError: self.init(error)
        case let error as AuthorizationError: self.init(error)
        case let error as UploadRefusal: self.init(error.problem)
        case BlobError.noSpace:
            self.init(type: "/problems/no-space", status: .insufficientStorage, title: "The disk is full")
        case BlobError.unavailable:
            self.init(
                type: "/problems/storage-unavailable", status: .serviceUnavailable, title: "The storage does not work",
                detail: "The object store does not respond as expected.", retryAfter: .seconds(10))
        case BlobError.notFound, BlobError.damaged:
            self.init(
                type: "/problems/file-unavailable", status: .serviceUnavailable,
                title: "The file is missing or damaged",
                detail: "Store the photo again, or restore its file from a backup.")
        case BlobError.system(_, let code) where Self.passingFaults[code] != nil:
            self.init(
                type: "/problems/storage-unavailable", status: .serviceUnavailable, title: "The storage does not work",
                detail: Self.passingFaults[code], retryAfter: .seconds(30))
        default:
            self.init(
                type: "/problems/internal", status: .internalServerError, title: "Something went wrong here",
                detail: "It is noted in the log under this request's id.")
        }
    }

    /// By `errno`: what keeps files from being written or read until somebody has put it right, or others have finished.
    private static let passingFaults: [Int32: String] = [
        EROFS: "The disk is read-only.", EIO: "The disk reports errors.",
        EMFILE: "Too many files are open.", ENFILE: "Too many files are open.", ENOMEM: "There is not enough memory.",
    ]

    init(_ error: InvalidField) {
        let member: JSONValue = ["detail": .string(error.detail), "pointer": .string(error.pointer)]
        self.init(
            type: "/problems/invalid-field", status: error.isContent ? .unprocessableContent : .badRequest,
            title: "A field cannot be taken", detail: error.detail, extensions: ["errors": [member]])
    }

    // No `default:` below. A new case must be decided, not inherited.
    private init(_ error: StoreError) {
        switch error {
        case .notFound:
            self.init(type: "/problems/not-found", status: .notFound, title: "Not found")
        case .gone:
            self.init(type: "/problems/gone", status: .gone, title: "It was deleted")
        case .conflict(constraint: "connections_per_user"):
            self.init(
                type: "/problems/too-many-accounts", status: .conflict, title: "Too many accounts are connected",
                detail: "A user may have \(AccountActions.mostAccounts) accounts. Disconnect one first.")
        case .conflict:
            self.init(type: "/problems/conflict", status: .conflict, title: "It contradicts what is there already")
        case .changed:
            self = RequestProblem.changed.details
        case .withheld:
            self.init(
                type: "/problems/private-photo", status: .conflict, title: "The photo is private",
                detail: "It was made private, so nothing of it is sent. Make it public or unlisted first.")
        case .unavailable:
            self.init(
                type: "/problems/unavailable", status: .serviceUnavailable, title: "Try again soon",
                detail: "The database cannot be reached, or takes no changes at the moment.", retryAfter: .seconds(5))
        case .searchesBusy:
            self.init(
                type: "/problems/searches-under-way", status: .serviceUnavailable, title: "Too many searches at once",
                detail: "Try again in a few seconds.", retryAfter: .seconds(5))
        case .searchTooLong:
            self.init(
                type: "/problems/search-too-long", status: .serviceUnavailable, title: "The search took too long",
                detail: "Use longer words, or add a filter such as an album.")
        case .cancelled:
            self.init(type: "/problems/unavailable", status: .serviceUnavailable, title: "The request was ended")
        case .defect:
            self.init(
                type: "/problems/internal", status: .internalServerError, title: "Something went wrong here",
                detail: "It is noted in the log under this request's id.")
        }
    }

    private init(_ error: MediaError) {
        switch error {
        case .refused:
            self = RequestProblem.unreadablePicture("\(error)").details
        case .busy, .stopped, .cancelled:
            self.init(
                type: "/problems/busy", status: .serviceUnavailable, title: "Too many pictures at once",
                detail: "The picture was not stored. Send it again a little later.", retryAfter: .seconds(5))
        case .failed:
            self.init(
                type: "/problems/internal", status: .internalServerError, title: "The picture could not be worked on",
                detail: "It is noted in the log under this request's id.")
        }
    }

    private init(_ error: AuthenticationError) {
        switch error {
        case .missing, .malformed, .invalid:
            self.init(
                type: "/problems/unauthorized", status: .unauthorized, title: "This needs a token",
                detail: error == .invalid
                    ? "The token is unknown, revoked or expired."
                    : "Send `Authorization: Bearer` and a token that `pics token create` has printed.")
        case .insufficientScope(let scope):
            self.init(
                type: "/problems/forbidden", status: .forbidden, title: "This token may not do that",
                detail: "It needs the scope \(scope.rawValue).", extensions: ["scope": .string(scope.rawValue)])
        }
    }
}
