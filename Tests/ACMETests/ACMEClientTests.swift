import Crypto
import Foundation
import HTTP
import System
import TLS
import Testing

@testable import ACME

/// What an authority does that the one of the end-to-end tests does not.
struct ACMEClientTests {
    /// Answers by path; every answer brings a nonce.
    private final class Authority: Transport {
        let asked = Lock<[String]>([])
        let nonces = Lock(0)
        let answers: @Sendable (String, Int) -> (HTTPStatus, JSONValue)

        init(_ answers: @escaping @Sendable (String, Int) -> (HTTPStatus, JSONValue)) { self.answers = answers }

        func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
            let path = String(request.url.dropFirst("https://ca.test".count))
            let count = asked.withLock { asked in
                asked.append(path)
                return asked.count { $0 == path }
            }
            let nonce = nonces.withLock { number in
                number += 1
                return number
            }
            var fields: HTTPFields = ["Replay-Nonce": "n\(nonce)"]
            if path == "/dir" {
                let body: JSONValue = [
                    "newNonce": "https://ca.test/nonce", "newAccount": "https://ca.test/account",
                    "newOrder": "https://ca.test/order",
                ]
                return IncomingResponse(status: .ok, fields: fields, body: body.serialized)
            }
            if path == "/nonce" { return IncomingResponse(status: .ok, fields: fields) }
            let (status, json) = answers(path, count)
            fields.add("Location", "https://ca.test\(path)/1")
            if status.code == 429 { fields.add("Retry-After", "3600") }
            return IncomingResponse(status: status, fields: fields, body: json.serialized)
        }
    }

    private func order(_ authority: Authority, by kind: ChallengeKind = .http) throws -> CertificateOrder {
        let client = ACMEClient(
            directory: "https://ca.test/dir", key: try SigningKey(), contact: [], transport: authority)
        return CertificateOrder(
            client, for: ["pics.test"], by: kind, challenges: DomainChallenges(), sleep: { _ in })
    }

    private static let newOrder: JSONValue = [
        "status": "pending", "authorizations": ["https://ca.test/authz"], "finalize": "https://ca.test/finalize",
    ]

    private static func authorization(_ status: JSONValue) -> JSONValue {
        [
            "status": status, "identifier": ["type": "dns", "value": "pics.test"],
            "challenges": [["type": "http-01", "token": "t", "url": "https://ca.test/challenge"]],
        ]
    }

    @Test func `a refused nonce is replaced, and not for ever`() async throws {
        let authority = Authority { _, _ in
            (.badRequest, ["type": "urn:ietf:params:acme:error:badNonce", "detail": "old"])
        }

        let error = await #expect(throws: ACMEError.self) { try await order(authority).run() }

        #expect(authority.asked.withLock { $0.count { $0 == "/account" } } == 8)
        #expect(error?.description == "the certificate authority refuses: old (badNonce)")
    }

    @Test func `a limit of the authority says when to come back`() async throws {
        let authority = Authority { path, _ in
            path == "/account" ? (.created, [:]) : (.tooManyRequests, ["detail": "too many\norders"])
        }

        let error = await #expect(throws: ACMEError.self) { try await order(authority).run() }

        #expect(error?.retryAfter == .seconds(3600))
        #expect(error?.description == "the certificate authority refuses: too many orders")
    }

    @Test func `a name that the authority cannot reach is told with its reason`() async throws {
        let authority = Authority { path, count in
            switch path {
            case "/authz" where count > 1:
                (
                    .ok,
                    [
                        "status": "invalid",
                        "challenges": [
                            ["error": ["type": "urn:ietf:params:acme:error:dns", "detail": "no such name"]]
                        ],
                    ]
                )
            case "/authz": (.ok, Self.authorization("pending"))
            default: (.created, Self.newOrder)
            }
        }

        let error = await #expect(throws: ACMEError.self) { try await order(authority).run() }

        #expect(error?.description == "the certificate authority could not reach pics.test: no such name (dns)")
    }

    @Test func `an authority that never decides is given up after a bounded number of questions`() async throws {
        let authority = Authority { path, _ in
            path == "/authz" ? (.ok, Self.authorization("pending")) : (.created, Self.newOrder)
        }

        let error = await #expect(throws: ACMEError.self) { try await order(authority).run() }

        #expect(error?.description == "the certificate authority took too long")
        #expect(authority.asked.withLock { $0.count } < 80)
    }

    @Test func `an authorization for another name is not answered`() async throws {
        let authority = Authority { path, _ in
            var foreign = Self.authorization("pending")
            foreign = .object([
                "status": "pending", "identifier": ["type": "dns", "value": "bank.test"],
                "challenges": foreign["challenges"] ?? .null,
            ])
            return path == "/authz" ? (.ok, foreign) : (.created, Self.newOrder)
        }

        await #expect(throws: ACMEError.self) { try await order(authority).run() }

        #expect(!authority.asked.withLock { $0.contains("/challenge") })
    }

    @Test(arguments: ["", "a b", "../x", "ü", "<script>", String(repeating: "a", count: 201)])
    func `what is no token gets no answer`(token: String) {
        #expect(ACMEClient.httpAnswer(token: Substring(token), thumbprint: "print") == nil)
    }

    @Test func `a token is answered with the account's thumbprint`() {
        #expect(ACMEClient.httpAnswer(token: "aZ09-_", thumbprint: "print") == "aZ09-_.print")
    }
}
