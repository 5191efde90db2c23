import Crypto
import Foundation
import HTTP
import Testing
import Webhooks

struct SignatureTests {
    @Test func `a message is signed as the published example of Standard Webhooks`() throws {
        // Source: the tests of its reference libraries (libraries/javascript/src/index.test.ts), read 2026-11-22.
        let key = try #require(Base64.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let message = WebhookMessage(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: Array("{\"test\": 2432232314}".utf8))

        let fields = message.fields(signedWith: key, at: Date(timeIntervalSince1970: 1_614_265_330))

        #expect(fields["webhook-id"] == "msg_p5jXN8AQM9LWM0D4loKWxJek")
        #expect(fields["webhook-timestamp"] == "1614265330")
        #expect(fields["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    /// `script/wire-vectors` makes the fixture, which names its source.
    @Test func `messages are signed as the reference implementation of Standard Webhooks signs them`() throws {
        let path = #filePath.replacing("SignatureTests.swift", with: "Fixtures/standard-webhooks.json")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let vectors = try #require(try JSONValue(parsing: bytes)["vectors"]?.array)
        try #require(vectors.count == 40)
        for vector in vectors {
            let secret = try #require(vector["secret"]?.string)
            let key = try #require(Base64.decode(String(secret.dropFirst("whsec_".count))))
            let message = WebhookMessage(
                id: try #require(vector["id"]?.string), body: Array(try #require(vector["body"]?.string).utf8))
            let time = Date(timeIntervalSince1970: Double(try #require(vector["timestamp"]?.int)))

            #expect(message.fields(signedWith: key, at: time)["webhook-signature"] == vector["signature"]?.string)
        }
    }
}
