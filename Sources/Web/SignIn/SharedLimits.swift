internal import Crypto
internal import HTTP
package import HTTPServer
package import Store

/// The limits that all processes of a Pics keep together, in the database: those of passwords, which nobody should try more often
/// because there are more nodes.
///
/// What is tried costs a password's hash; a statement before it does not matter.
package struct SharedLimits: Sendable {
    private let policies: [RatePolicy]
    private let store: PicsStore

    /// Limits with full buckets; policies that are switched off are left out.
    package init(_ policies: [RatePolicy], store: PicsStore) {
        self.policies = policies.filter(\.isOn)
        self.store = store
    }

    /// A token that was taken, to be given back if what it was taken for does not count.
    struct Deposit: Sendable {
        fileprivate let bucket: (key: [UInt8], tokenTime: Double)?
    }

    /// Takes a token: of many attempts that come together no more pass than there are tokens.
    ///
    /// - Parameters:
    ///   - name: The policy. One that is switched off, or counts addresses of a client without one, refuses nothing.
    ///   - request: Whose address counts.
    ///   - subject: Who counts, for policies that count by a subject.
    /// - Returns: What `refund` gives back.
    /// - Throws: `RateLimitExceeded` when there is no token, `StoreError`.
    func deposit(_ name: RatePolicy.Name, for request: HTTPRequest, subject: String = "") async throws -> Deposit {
        guard let policy = policies.first(where: { $0.name == name }),
            let counted = policy.key == .address ? request.limitedAddress : subject
        else { return Deposit(bucket: nil) }
        let key = SHA256Digest(of: "\(policy.name.text)\n\(counted)").bytes
        let answer = try await store.takeShared(key, tokenTime: policy.secondsForToken, quota: policy.quota)
        guard answer.isGranted else { throw policy.refusal(secondsUntilFull: answer.secondsUntilFull) }
        return Deposit(bucket: (key, policy.secondsForToken))
    }

    /// Gives tokens back. A database that does not answer keeps them: they come back by themselves.
    func refund(_ deposits: [Deposit]) async {
        for bucket in deposits.compactMap(\.bucket) {
            try? await store.giveBackShared(bucket.key, tokenTime: bucket.tokenTime)
        }
    }
}

extension HTTPResponse {
    /// A page with the form that was sent too often, `page`, with the fields that tell when it may be sent again.
    static func limited(
        by error: RateLimitExceeded, _ page: (Notice) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        var response = try await page(.failed(.tooManyAttempts(error.problem.retryAfter)))
        response.fields.addMissing(error.response.fields)
        return response
    }
}
