internal import Actions
internal import Authentication
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// Why a request of Micropub is refused, where nothing else says so already (section 3.8).
struct MicropubError: Error, Equatable {
    let status: HTTPStatus
    let code: String
    let detail: String

    /// The post is somebody else's.
    static let otherPerson = MicropubError(status: .forbidden, code: "forbidden", detail: "The post is not yours.")
}

/// The user behind a request, and the token that said so.
struct MicropubCaller {
    let caller: Caller
    let token: String

    var user: User { caller.user }

    /// - Throws: `AuthenticationError.insufficientScope` of the first unless the token has one of these rights.
    func demand(anyOf scopes: Scope...) throws(AuthenticationError) {
        guard scopes.contains(where: caller.may) else { throw .insufficientScope(scopes[0]) }
    }
}

/// A token came in the header and in the body.
struct TokenSentTwice: Error {}

extension AppHandlers {
    /// The user of the token in the header; nil when there is none, so that it may be in the body.
    ///
    /// - Throws: `AuthenticationError`; `RateLimitExceeded`.
    func micropubCaller(byHeaderOf request: HTTPRequest) async throws -> MicropubCaller? {
        guard let token = try TokenAuthentication.token(of: request) else { return nil }
        return try await micropubCaller(token, request)
    }

    /// The user of the token in the fields of a form, unless the header has named them already.
    ///
    /// - Throws: `TokenSentTwice`; `AuthenticationError`; `RateLimitExceeded`.
    func micropubCaller(
        _ known: MicropubCaller?, byForm form: FormFields, _ request: HTTPRequest
    ) async throws -> MicropubCaller {
        let token = form["access_token"]
        guard let known else {
            guard let token else { throw AuthenticationError.missing }
            return try await micropubCaller(token, request)
        }
        guard token == nil else { throw TokenSentTwice() }
        return known
    }

    private func micropubCaller(_ token: String, _ request: HTTPRequest) async throws -> MicropubCaller {
        let caller = try await authentication.caller(token, of: request, needing: nil)
        _ = try rates.charge(.charging(.tokens), subject: caller.user.id.description)
        let found = MicropubCaller(caller: caller, token: token)
        // A token that may do nothing here is let in to nothing (section 3.3).
        try found.demand(anyOf: .createPhotos, .draftPhotos, .uploadFiles, .editPhotos, .deletePhotos, .readPhotos)
        return found
    }

    /// Takes what a photo costs its user beyond the request.
    func chargeUpload(by user: User) throws(RateLimitExceeded) {
        _ = try rates.charge(.charging(.uploads), subject: user.id.description)
    }

    /// The request as actions know it.
    func action(_ request: HTTPRequest, by caller: MicropubCaller) -> ActionRequest {
        ActionRequest(id: request.id) { [authentication] in
            _ = try await authentication.caller(caller.token, of: request, needing: nil)
        }
    }

    /// Answers as Micropub does, also where something goes wrong. Defects, and what the server answers itself, pass.
    func answeringMicropub(_ make: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        do {
            return try await make()
        } catch is TokenSentTwice {
            // RFC 6750 names no code for it that all clients agree on.
            return HTTPResponse(
                .badRequest, fields: ["Content-Type": "text/plain; charset=utf-8"],
                body: .bytes(Array("Send the token once, in the header or in the body.\n".utf8)))
        } catch let error as MicropubError {
            return Self.micropubRefusal(error.status, error.code, error.detail)
        } catch let error as AuthenticationError {
            return Self.micropubRefusal(error)
        } catch StoreError.notFound {
            return Self.micropubRefusal(.badRequest, "invalid_request", "There is no such post.")
        } catch StoreError.gone {
            return Self.micropubRefusal(.badRequest, "invalid_request", "The post was deleted.")
        } catch let error where !(error is RateLimitExceeded || error is BodyError) {
            let problem = problem(error)
            guard problem.status.code < 500 else { throw error }
            // What is full is said in the title alone.
            let words = problem.status == .contentTooLarge ? problem.sentence : problem.detail ?? problem.title
            return Self.micropubRefusal(problem.status, "invalid_request", words)
        }
    }

    private static func micropubRefusal(_ status: HTTPStatus, _ code: String, _ detail: String) -> HTTPResponse {
        .json(["error": .string(code), "error_description": .string(detail)], status: status, fields: uncached)
    }

    /// 401 where OAuth says 403: a client of Micropub asks its user for more then.
    private static func micropubRefusal(_ error: AuthenticationError) -> HTTPResponse {
        var members = error.oauthError.object ?? [:]
        var challenge = error.challenge
        if case .insufficientScope(let scope) = error {
            let word = scope.micropubWord
            members["scope"] = .string(word)
            challenge = "Bearer realm=\"pics\", error=\"insufficient_scope\", scope=\"\(word)\""
        }
        var fields = uncached
        fields.add("WWW-Authenticate", challenge)
        return .json(
            .object(members), status: error == .malformed ? .badRequest : .unauthorized, fields: fields)
    }
}

extension Scope {
    /// The scope that an app asks for to get this right.
    fileprivate var micropubWord: String {
        switch self {
        case .draftPhotos: "draft"
        case .uploadFiles: "media"
        case .editPhotos: "update"
        case .deletePhotos: "delete"
        case .readPhotos: "read"
        default: "create"
        }
    }
}
