internal import Crypto
internal import Domain
internal import FoundationEssentials
package import HTTP

/// Webhooks of the Graph API: an application is told what happens on the feeds of its pages.
///
/// Source: developers.facebook.com, "Webhooks, Getting started" and "Webhooks for Pages", Graph API v26.0, "App Subscriptions", "Page
/// Subscribed Apps". Messages repeat; what they say is read back from the page itself.
extension FacebookAPI {
    /// `POST /{app}/subscriptions`, in the application's own name: the address is checked before it answers.
    ///
    /// `origin` is the operator's: an account's own server must not see the secret.
    func subscribe(
        _ application: String, secret: String, at origin: String, to address: String, verifyToken: String
    ) async throws(SubmissionError) {
        let app = AccountAPI(
            client: client, origin: origin, authorization: "Bearer \(application)|\(secret)",
            addresses: graph.addresses)
        _ = try success(
            try await app.send(
                .post, "\(version)/\(PercentEncoding.encode(application))/subscriptions",
                form: [
                    "object": "page", "fields": "feed", "callback_url": address, "verify_token": verifyToken,
                    "include_values": "true",
                ]))
    }

    /// `POST /{page}/subscribed_apps`, which needs `pages_manage_metadata`.
    func subscribe(page: String) async throws(SubmissionError) {
        _ = try success(
            try await graph.send(
                .post, "\(version)/\(PercentEncoding.encode(page))/subscribed_apps",
                form: ["subscribed_fields": "feed"]))
    }
}

extension FacebookSubmitter: SigningSubmitter {
    package func subscribe(
        _ subscription: NewsSubscription, over transport: any Transport
    ) async throws(SubmissionError) {
        let account = subscription.account
        let api = self.api(account.settings, account.credentials, over: transport, now: now)
        guard let id = subscription.application["client_id"], let secret = subscription.application["client_secret"]
        else { throw .unauthorized(SubmissionProblem(api.client.problem(.permissionDenied))) }
        let origin = try BaseURL(subscription.application["base_url"], policy: servers).or(Self.graphOrigin)
        // An application is known where its keys are from.
        guard BaseURL(account.settings).or(Self.graphOrigin) == origin else {
            throw .unauthorized(SubmissionProblem(api.client.problem(.permissionDenied)))
        }
        try await api.subscribe(page: account.remoteID)
        try await api.subscribe(
            id, secret: secret, at: origin, to: subscription.serviceAddress, verifyToken: subscription.verifyToken)
    }

    package var signatureField: String { "X-Hub-Signature-256" }

    package func challenge(in query: FormFields, verifyToken: String) -> String? {
        guard query["hub.mode"] == "subscribe",
            isEqualInConstantTime((query["hub.verify_token"] ?? "").utf8, verifyToken.utf8)
        else { return nil }
        return query["hub.challenge"]
    }

    package func news(
        in body: [UInt8], field: (String) -> String?, application: ClientCredentials
    ) -> [(account: String, posts: [String])]? {
        guard let secret = application["client_secret"],
            let signature = field(signatureField), signature.hasPrefix("sha256="),
            let told = Hex.decode(String(signature.dropFirst(7))),
            isEqualInConstantTime(told, HMAC.sha256(body, key: secret.utf8))
        else { return nil }
        guard let message = try? JSONValue(parsing: body), message["object"]?.string == "page" else { return [] }
        return (message["entry"]?.array ?? []).compactMap { entry in
            guard let page = entry["id"]?.string else { return nil }
            let posts = (entry["changes"]?.array ?? []).compactMap { change in
                change["field"]?.string == "feed" ? change["value"]?["post_id"]?.string : nil
            }
            return (page, posts)
        }
    }
}
