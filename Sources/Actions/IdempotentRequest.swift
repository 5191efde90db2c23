internal import Crypto
package import Domain
package import Store
internal import System

/// A key under which something is made once, however often its request comes (draft-ietf-httpapi-idempotency-key-header-07).
///
/// The response is kept with what the request has made, in one transaction, for a day. A request that fails leaves nothing, so
/// that its key can be used again.
package struct IdempotencyKey: Hashable, Sendable {
    package let user: UserID
    /// 1 to 255 visible characters.
    package let text: String

    package init(_ text: String, of user: UserID) { (self.user, self.text) = (user, text) }

    /// The response as it is kept.
    package func keeping(_ response: StoredResponse, fingerprint: [UInt8]) -> IdempotentResponse {
        IdempotentResponse(
            user: user, key: text, fingerprint: fingerprint, status: response.status, fields: response.fields,
            body: response.body)
    }

    /// A SHA-256 of everything that tells two requests apart.
    package static func fingerprint(_ parts: [[UInt8]]) -> [UInt8] {
        var hash = SHA256()
        for part in parts {
            hash.update(withUnsafeBytes(of: UInt64(part.count).bigEndian) { Array($0) })
            hash.update(part)
        }
        return hash.finish().bytes
    }
}

/// A response that is kept under an idempotency key, in the form of the protocol that asked.
package struct StoredResponse: Sendable {
    package let status: Int
    /// Name, value, name, value and so on.
    package let fields: [String]
    package let body: [UInt8]

    package init(status: Int, fields: [String], body: [UInt8]) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }
}

/// Writes the response to the creation of a photo, in the form of the protocol that asked.
package typealias PhotoResponder = @Sendable (PhotoView, [Submission]) -> StoredResponse

/// The keys whose requests run in this process.
final class RunningKeys: Sendable {
    private let keys = Lock<Set<IdempotencyKey>>([])

    /// Whether no other request runs under this key.
    func begin(_ key: IdempotencyKey) -> Bool { keys.withLock { $0.insert(key).inserted } }

    func end(_ key: IdempotencyKey) { keys.withLock { _ = $0.remove(key) } }
}

extension ActionContext {
    /// Runs `work` under a key, if there is one, and never twice at once.
    ///
    /// - Throws: `ActionError.requestUnderWay`, and what `work` throws.
    package func once<Value>(
        _ key: IdempotencyKey?, _ work: () async throws -> Value
    ) async throws -> Value {
        guard let key else { return try await work() }
        guard runningKeys.begin(key) else { throw ActionError.requestUnderWay }
        defer { runningKeys.end(key) }
        return try await work()
    }

    /// The response that was given under this key before; nil when there was none.
    ///
    /// - Throws: `ActionError.keyUsed` when the key was used for something else.
    package func savedResponse(_ key: IdempotencyKey?, fingerprint: [UInt8]) async throws -> IdempotentResponse? {
        guard let key, let kept = try await store.savedResponse(to: key.text, of: key.user) else { return nil }
        guard kept.fingerprint == fingerprint else { throw ActionError.keyUsed }
        return kept
    }
}
