internal import Crypto
internal import Domain
package import HTTP

/// Web Push to Pics itself. What a message says is not read: that one came tells that there is something to read.
///
/// Source: docs.joinmastodon.org at version 4.6, method "push"; one subscription for each token. GoToSocial has it since 0.18.
extension MastodonAPI {
    /// `POST /api/v1/push/subscription`. Messages are sealed for a key that is forgotten at once.
    func subscribe(to address: String) async throws(SubmissionError) {
        let key: SigningKey
        do throws(CryptoError) { key = try SigningKey() } catch { throw .temporary(client.problem(.internalError)) }
        var form: FormFields = [
            "subscription[endpoint]": address,
            "subscription[keys][p256dh]": Base64URL.encode(key.publicPoint),
            "subscription[keys][auth]": Base64URL.encode(randomBytes(count: 16)),
            "subscription[standard]": "true",
            "data[policy]": "all",
        ]
        for alert in ["mention", "favourite", "reblog", "quote", "update"] {
            form.add("data[alerts][\(alert)]", "true")
        }
        let response = try await api.send(.post, "/api/v1/push/subscription", form: form)
        guard response.status == .forbidden || response.status == .notFound else {
            _ = try await success(response)
            return
        }
        throw .unauthorized(client.problem(.permissionDenied, response))
    }
}

extension MastodonSubmitter {
    package func subscribe(
        _ subscription: NewsSubscription, over transport: any Transport
    ) async throws(SubmissionError) {
        try await api(for: subscription.account, over: transport, now: now).subscribe(to: subscription.accountAddress)
    }
}
