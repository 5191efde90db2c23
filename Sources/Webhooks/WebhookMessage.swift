internal import Crypto
package import FoundationEssentials
package import HTTP

/// A message to a receiver, before it is signed.
///
/// Source: Standard Webhooks 1.0.0 (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md), read
/// 2026-11-22.
package struct WebhookMessage: Sendable {
    /// Tells a repeated message from a new one.
    package let id: String
    /// JSON.
    package let body: [UInt8]

    package init(id: String, body: [UInt8]) {
        self.id = id
        self.body = body
    }

    /// A message with the members that every one has. `data` writes the value of the last.
    package init(id: String, type: String, at time: Date, data: (inout JSONWriter) -> Void) {
        self.id = id
        body = JSONWriter.text { json in
            json.object { json in
                json.member("type", type)
                json.member("timestamp", time)
                json.object("data", data)
            }
        }
    }

    /// The fields that go with it at this time; each attempt has its own.
    package func fields(signedWith key: [UInt8], at time: Date) -> HTTPFields {
        let timestamp = "\(Int64(time.timeIntervalSince1970.rounded(.down)))"
        let signature = HMAC.sha256(Array("\(id).\(timestamp).".utf8) + body, key: key)
        return [
            "Content-Type": "application/json", "webhook-id": id, "webhook-timestamp": timestamp,
            "webhook-signature": "v1,\(Base64.encode(signature))",
        ]
    }
}

/// The key that proves a message's origin to the receiver: 32 random bytes.
enum WebhookSecret {
    /// As receivers enter it: `whsec_` and the Base64 of the key.
    static func text(_ key: [UInt8]) -> Secret<String> { Secret("whsec_\(Base64.encode(key))") }
}
