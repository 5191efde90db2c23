internal import Crypto
package import Domain
internal import HTTP
package import HTTPServer
package import Store

/// Why a request is not let in (RFC 6750, section 3.1).
package enum AuthenticationError: Error, Equatable {
    /// No token was sent.
    case missing
    /// The `Authorization` field is none of ours.
    case malformed
    /// The token is unknown, revoked or expired.
    case invalid
    /// The token is good, but not for this.
    case insufficientScope(Scope)
}

extension AuthenticationError {
    /// The value of `WWW-Authenticate` (RFC 6750, section 3): nothing is told of errors when no token was sent.
    package var challenge: String {
        switch self {
        case .missing: "Bearer realm=\"pics\""
        case .malformed: "Bearer realm=\"pics\", error=\"invalid_request\""
        case .invalid: "Bearer realm=\"pics\", error=\"invalid_token\""
        case .insufficientScope(let scope):
            "Bearer realm=\"pics\", error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""
        }
    }
}

/// Finds who sends a request, by its bearer token (RFC 6750): the same for every protocol that programs speak.
package struct TokenAuthentication: Sendable {
    private let store: PicsStore
    private let rates: RateLimiter

    package init(store: PicsStore, rates: RateLimiter) { (self.store, self.rates) = (store, rates) }

    /// Finds who sends a request.
    ///
    /// A right token is let in however many wrong ones came from its address: none can be guessed, and a household or a proxy
    /// without a name shares one.
    ///
    /// - Throws: `AuthenticationError`; `StoreError` when the database cannot tell; `RateLimitExceeded` when too many tokens from
    ///   this address were wrong.
    package func caller(of request: HTTPRequest, needing scope: Scope?) async throws -> Caller {
        guard let token = try Self.token(of: request) else { throw AuthenticationError.missing }
        return try await caller(token, of: request, needing: scope)
    }

    /// The same with a token that came in another place.
    package func caller(_ token: String, of request: HTTPRequest, needing scope: Scope?) async throws -> Caller {
        guard Self.isToken(token[...]) else { throw AuthenticationError.malformed }
        let digest = SHA256Digest(of: token)
        guard let caller = try await store.caller(tokenHash: digest.bytes, isEqual: isEqualInConstantTime) else {
            try rates.demand(.wrongTokens, for: request)
            rates.count(.wrongTokens, for: request)
            throw AuthenticationError.invalid
        }
        if let scope, !caller.may(scope) { throw AuthenticationError.insufficientScope(scope) }
        return caller
    }

    /// The token in a request's `Authorization` field; nil without the field.
    ///
    /// - Throws: `AuthenticationError.malformed`.
    package static func token(of request: HTTPRequest) throws(AuthenticationError) -> String? {
        guard let value = request.fields["Authorization"] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", isToken(parts[1]) else { throw .malformed }
        return String(parts[1])
    }

    /// Whether the token of a request that was let in is still good: it may have been revoked meanwhile, or its user deleted.
    package func isStillGood(_ request: HTTPRequest) async throws -> Bool {
        guard let token = try Self.token(of: request) else { return true }
        let digest = SHA256Digest(of: token)
        return try await store.caller(tokenHash: digest.bytes, isEqual: isEqualInConstantTime) != nil
    }

    /// Looks at the token of a request once more when its body is there: that may have taken minutes.
    ///
    /// - Throws: `AuthenticationError.invalid`.
    package func demandToken(of request: HTTPRequest) async throws {
        guard try await isStillGood(request) else { throw AuthenticationError.invalid }
    }

    /// The viewer of something public: nobody when no token is sent, but a bad token is still told.
    package func viewer(of request: HTTPRequest, needing scope: Scope) async throws -> Caller? {
        guard request.fields.contains("Authorization") else { return nil }
        return try await caller(of: request, needing: scope)
    }

    /// The `b64token` of RFC 6750, section 2.1, of a length that costs nothing to hash.
    private static func isToken(_ text: Substring) -> Bool {
        let rest = text.utf8.drop { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
        return (1...512).contains(text.utf8.count) && rest.allSatisfy { $0 == UInt8(ascii: "=") }
    }
}

extension Initiator {
    /// Somebody with a token; nil: an app for itself, or a token in another place.
    package static func app(_ caller: Caller?, _ request: HTTPRequest) -> Initiator {
        Initiator(.app, user: caller?.user.id, network: request.network)
    }
}

/// The limits that routes for programs count by; the program says how much they allow.
extension RatePolicy.Name {
    /// Requests of a user with a token.
    package static let tokens = RatePolicy.Name("token")
    /// Photos that a user posts.
    package static let uploads = RatePolicy.Name("uploads")
    /// Tokens that turned out to be wrong: after too many the database is not asked any more.
    package static let wrongTokens = RatePolicy.Name("wrong-tokens")
    /// Public pictures that have to be made, by a process each.
    package static let pictures = RatePolicy.Name("pictures")
}

extension RateLimiter {
    /// Takes further requests of a user for the planning of a long caption, which keeps a processor as busy as many requests do.
    package func chargePlanning(of text: String, by user: User) throws(RateLimitExceeded) {
        _ = try charge(.charging([.tokens: text.utf8.count / 2048]), subject: user.id.description)
    }
}
