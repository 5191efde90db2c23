internal import Actions
internal import Crypto
package import Domain
internal import HTTP
package import HTTPServer
internal import Store
internal import Webhooks

extension APIHandlers {
    /// `GET /v1/webhooks`: the caller's. Secrets are never shown again.
    package func listWebhooks(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let items = try await store.webhooks(of: caller.user.id).map(Self.members)
        return .json(["items": JSONValue(items.map { .object($0) }), "next": .null])
    }

    /// `POST /v1/webhooks`: makes one; its secret is in this response alone.
    package func createWebhook(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["url"])
        guard let url = body["url"]?.string else {
            throw RequestProblem.invalid("#/url", "It must be an address.", isContent: true)
        }
        let made = try await refusing { try await webhooks.add(url, of: caller.user) }
        var members = Self.members(made.webhook)
        members["secret"] = .string(made.secret.reveal())
        return .json(
            .object(members), status: .created,
            fields: ["Location": "/v1/webhooks/\(made.webhook.id)", "Cache-Control": "no-store"])
    }

    /// `GET /v1/webhooks/{id}`.
    package func showWebhook(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        Self.response(try await store.webhook(try request.identifier(), owner: caller.user.id))
    }

    /// `PATCH /v1/webhooks/{id}`: gives it another address, holds it back, or lets it go on, also one that was given
    /// up.
    package func editWebhook(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let id: WebhookID = try request.identifier()
        let body = try await json(request, types: ["application/json", "application/merge-patch+json"])
        try body.refuseMembers(otherThan: ["paused", "url"])
        if let url = body["url"], url.string == nil {
            throw RequestProblem.invalid("#/url", "It must be an address.", isContent: true)
        }
        if let isPaused = body["paused"], isPaused.bool == nil {
            throw RequestProblem.invalid("#/paused", "It must be true or false.")
        }
        let url = body["url"]?.string
        let isPaused = body["paused"]?.bool
        return Self.response(
            try await refusing {
                try await webhooks.edit(id, owner: caller.user.id, url: url, isPaused: isPaused)
            })
    }

    /// `DELETE /v1/webhooks/{id}`.
    package func deleteWebhook(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await webhooks.delete(try request.identifier(), of: caller.user)
        return HTTPResponse(.noContent)
    }

    /// `POST /v1/webhooks/{id}/test`: sends a `ping`, and says what came of it.
    package func testWebhook(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let problem = try await webhooks.ping(try request.identifier(), owner: caller.user.id)
        return .json(["delivered": .bool(problem == nil), "problem": JSONValue(problem?.sentence)])
    }

    // MARK: Shapes

    private func refusing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as AddressRefusal {
            throw RequestProblem.invalid("#/url", error.sentence, isContent: true)
        } catch let error as WebhookLimit {
            throw RequestProblem(
                details: ProblemDetails(
                    type: "/problems/too-many-webhooks", status: .conflict, title: "There are too many webhooks",
                    detail: error.sentence))
        }
    }

    private static func response(_ webhook: Webhook) -> HTTPResponse { .json(.object(members(webhook))) }

    private static func members(_ webhook: Webhook) -> JSONObject {
        [
            "id": .string(webhook.id.description), "url": .string(webhook.url),
            "state": .string(webhook.state.rawValue), "problem": JSONValue(webhook.problem?.sentence),
            "failures": .int(Int64(webhook.failures)), "next_attempt_at": JSONValue(webhook.nextAttemptAt),
            "delivered_at": JSONValue(webhook.deliveredAt), "created_at": JSONValue(webhook.createdAt),
        ]
    }
}
