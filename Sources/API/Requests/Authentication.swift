internal import Crypto
package import Domain
internal import HTTP
internal import HTTPServer
internal import Store

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

extension APIHandlers {
    /// Finds who sends a request.
    ///
    /// A right token is let in however many wrong ones came from its address: none can be guessed, and a household or a proxy
    /// without a name shares one.
    ///
    /// - Throws: `AuthenticationError`; `StoreError` when the database cannot tell; `RateLimitExceeded` when too many tokens from
    ///   this address were wrong.
    func caller(of request: HTTPRequest, needing scope: Scope) async throws -> Caller {
        guard let value = request.fields["Authorization"] else { throw AuthenticationError.missing }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", Self.isToken(parts[1]) else {
            throw AuthenticationError.malformed
        }
        let digest = SHA256Digest(of: parts[1].utf8)
        guard let caller = try await store.caller(tokenHash: digest.bytes, isEqual: isEqualInConstantTime) else {
            try rates.demand(.wrongTokens, for: request)
            rates.count(.wrongTokens, for: request)
            throw AuthenticationError.invalid
        }
        guard caller.may(scope) else { throw AuthenticationError.insufficientScope(scope) }
        return caller
    }

    /// Whether the token of a request that was let in is still good: it may have been revoked meanwhile, or its user deleted.
    func isStillGood(_ request: HTTPRequest) async throws -> Bool {
        guard let value = request.fields["Authorization"] else { return true }
        let token = value.split(separator: " ", maxSplits: 1).last ?? ""
        let digest = SHA256Digest(of: token.utf8)
        return try await store.caller(tokenHash: digest.bytes, isEqual: isEqualInConstantTime) != nil
    }

    /// Looks at the token of a request once more when its body is there: that may have taken minutes.
    ///
    /// - Throws: `AuthenticationError.invalid`.
    func demandToken(of request: HTTPRequest) async throws {
        guard try await isStillGood(request) else { throw AuthenticationError.invalid }
    }

    /// The viewer of something public: nobody when no token is sent, but a bad token is still told.
    func viewer(of request: HTTPRequest) async throws -> Caller? {
        guard request.fields["Authorization"] != nil else { return nil }
        return try await caller(of: request, needing: .read)
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
