internal import HTTP
package import HTTPServer

/// Webhooks in `/openapi.json`.
extension Operation {
    private static let noJSON = Response.problem(.unsupportedMediaType, "The body is not JSON.")
    private static let noAddress = Response.problem(.unprocessableContent, "It is no address that Pics may send to.")

    package static let listWebhooks = Operation(
        "listWebhooks",
        "The addresses that are told what becomes of the caller's submissions, and what comes back to their photos.",
        tags: ["webhooks"],
        responses: [Response(.ok, "All of them.", .json("WebhookPage"))])

    package static let createWebhook = Operation(
        "createWebhook",
        "Names an address that is told what becomes of the caller's submissions, and what comes back, from now on.",
        description: """
            Every change of a submission's state or problem, and of a response, is sent by POST, in the form of Standard Webhooks: \
            `webhook-id`, `webhook-timestamp`, `webhook-signature` (`v1,` and the Base64 of HMAC-SHA256 over id, timestamp \
            and body, joined by dots, with the key that is the Base64 behind `whsec_`). The body is a WebhookMessage. A \
            receiver answers 2xx within ten seconds; else it is sent again, ever later, with the same `webhook-id`. Changes \
            come in their order, at least once, and several that follow each other closely may come as the last of them. \
            410, or three days without success, disable the webhook.
            """,
        tags: ["webhooks"], body: .json("WebhookWish"),
        responses: [
            Response(
                .created, "The webhook, with its secret, which is not shown again.", .json("NewWebhook"),
                fields: ["Location": "The webhook's address."]), noJSON, noAddress,
            .problem(.conflict, "There are as many as one user may have."),
        ])

    package static let showWebhook = Operation(
        "showWebhook", "A webhook.", tags: ["webhooks"], responses: [Response(.ok, "The webhook.", .json("Webhook"))])

    package static let editWebhook = Operation(
        "editWebhook", "Gives a webhook another address, holds it back, or lets it go on.",
        description: """
            A JSON merge patch (RFC 7396). `paused` false lets one go on that was disabled, too. What has changed \
            meanwhile is told then. The secret stays.
            """, tags: ["webhooks"],
        body: Content([
            "application/merge-patch+json": OpenAPI.reference("WebhookEdit"),
            "application/json": OpenAPI.reference("WebhookEdit"),
        ]),
        responses: [Response(.ok, "The webhook as it is now.", .json("Webhook")), noJSON, noAddress])

    package static let deleteWebhook = Operation(
        "deleteWebhook", "Forgets a webhook.", tags: ["webhooks"], responses: [Response(.noContent, "It is gone.")])

    package static let testWebhook = Operation(
        "testWebhook", "Sends a message of the type `ping`, once, and returns the result.", tags: ["webhooks"],
        responses: [Response(.ok, "Whether the receiver has answered 2xx.", .json("WebhookTest"))])
}

extension Schemas {
    private static let webhook: JSONObject = [
        "id": uuid, "url": ["type": "string", "format": "uri"],
        "state": ["type": "string", "enum": ["active", "paused", "disabled"]], "problem": text,
        "failures": integer, "next_attempt_at": ["type": ["string", "null"], "format": "date-time"],
        "delivered_at": ["type": ["string", "null"], "format": "date-time"], "created_at": time,
    ]

    /// Of webhooks, and of what is sent to them.
    static let webhooks: JSONObject = [
        "Webhook": object(webhook), "WebhookPage": page("Webhook"),
        "NewWebhook": object(JSONObject(webhook.map { ($0.name, $0.value) } + [("secret", string)])),
        "WebhookWish": body(["url": ["type": "string", "format": "uri", "maxLength": 2048]]),
        "WebhookEdit": body(
            ["url": ["type": "string", "format": "uri", "maxLength": 2048], "paused": boolean],
            optional: ["url", "paused"]),
        "WebhookTest": object(["delivered": boolean, "problem": text]),
        "WebhookMessage": object([
            "type": [
                "type": "string", "enum": ["submission.changed", "response.changed", "response.deleted", "ping"],
            ],
            "timestamp": time,
            "data": [
                "anyOf": [
                    OpenAPI.reference("Submission"), OpenAPI.reference("ResponseMembers"), object(["id": uuid]),
                    object(["webhook": uuid]),
                ]
            ],
        ]),
    ]
}
