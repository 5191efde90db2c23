import Crypto
import Foundation
import HTTP
import Logging
import System
import Testing

@testable import Actions

/// An issuer whose keys are changed, and that tells names elsewhere.
struct OpenIDIssuerTests {
    private static let address = "https://id.example"

    private struct State {
        var key: SigningKey
        var claims: [String: JSONValue] = [:]
        var person: JSONValue = ["sub": "4711", "preferred_username": "ann"]
        var keysRead = 0
    }

    private final class Issuer: Transport {
        let state: Lock<State>

        init() throws { state = Lock(State(key: try SigningKey())) }

        func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
            let answer: JSONValue? = state.withLock { state in
                switch request.url.dropFirst(address.count) {
                case "/.well-known/openid-configuration":
                    [
                        "issuer": .string(address), "authorization_endpoint": .string("\(address)/authorize"),
                        "token_endpoint": .string("\(address)/token"), "jwks_uri": .string("\(address)/keys"),
                        "userinfo_endpoint": .string("\(address)/person"),
                        "authorization_response_iss_parameter_supported": true,
                    ]
                case "/keys": keys(&state)
                case "/token": ["id_token": .string(token(state)), "access_token": "opaque"]
                case "/person": request.fields["Authorization"] == "Bearer opaque" ? state.person : nil
                default: nil
                }
            }
            guard let answer else { return IncomingResponse(status: .notFound) }
            return IncomingResponse(status: .ok, body: answer.serialized)
        }

        private func keys(_ state: inout State) -> JSONValue? {
            state.keysRead += 1
            return (try? JSONValue(parsing: Array(state.key.publicJWK.utf8))).map { ["keys": [$0]] }
        }

        /// Without `kid`, as an issuer with a single key may leave it out (Core, section 10.1).
        private func token(_ state: State) -> String {
            let now = Int64(Date().timeIntervalSince1970)
            var claims: [String: JSONValue] = [
                "iss": .string(address), "sub": "4711", "aud": "pics", "exp": .int(now + 300), "iat": .int(now),
                "nonce": "n",
            ]
            for (name, value) in state.claims { claims[name] = value }
            let header: JSONValue = ["alg": "ES256"]
            var members = JSONObject()
            for (name, value) in claims { members[name] = value }
            let signed = [header, .object(members)].map { Base64URL.encode($0.serialized) }.joined(separator: ".")
            return "\(signed).\(Base64URL.encode((try? state.key.sign(Array(signed.utf8))) ?? []))"
        }
    }

    private func client(of issuer: Issuer, pause: Duration = .zero) -> OpenIDIssuer {
        OpenIDIssuer(
            OpenIDConfiguration(
                issuer: Self.address, clientID: "pics", clientSecret: nil, name: "Example ID", registers: true),
            transport: issuer, servers: .publicOnly, logger: .silent, pause: pause)
    }

    private func claims(_ client: OpenIDIssuer) async throws -> OpenIDClaims {
        try await client.claims(for: "code", verifier: "v", nonce: "n", redirectURI: "https://pics.example/back")
    }

    @Test func `keys that do not fit are read again, but not at once again`() async throws {
        let issuer = try Issuer()
        let (eager, patient) = (client(of: issuer), client(of: issuer, pause: .seconds(60)))
        for client in [eager, patient] { #expect(try await claims(client).subject == "4711") }
        issuer.state.withLock { $0.keysRead = 0 }
        let other = try SigningKey()
        issuer.state.withLock { $0.key = other }

        #expect(try await claims(eager).subject == "4711")
        await #expect(throws: OpenIDFault.wrongSignature) { try await claims(patient) }
        #expect(issuer.state.withLock { $0.keysRead } == 1)
    }

    @Test func `names that the token lacks come from UserInfo, of the same person`() async throws {
        let issuer = try Issuer()
        let client = client(of: issuer)
        #expect(try await claims(client).nameHint == "ann")

        issuer.state.withLock { $0.person = ["sub": "other", "preferred_username": "admin"] }
        let claims = try await claims(client)
        #expect(claims.nameHint.isEmpty && claims.label == "4711")

        issuer.state.withLock { $0.claims["name"] = "Ann Example" }
        #expect(try await self.claims(client).nameHint == "Ann Example")
    }

    @Test func `an answer that names no issuer, or another, is not its own`() async throws {
        let client = client(of: try Issuer())

        #expect(try await client.hasAnswered(as: [Self.address]))
        for others in [[], ["\(Self.address)/"], [Self.address, Self.address], ["https://evil.example"]] {
            #expect(try await !client.hasAnswered(as: others), "\(others)")
        }
    }

    @Test(arguments: [
        ("ann@example.org", "ann"), ("Ann Smith", "ann-smith"), ("ルイス", "user"), ("a.b+c", "a-b-c"),
        ("Zoë.Müller", "zoe-muller"), ("", "user"), ("李", "user"), ("--", "user"),
        (String(repeating: "a", count: 40), String(repeating: "a", count: 24)),
        ("abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnopqrstuvwx"),
    ])
    func `a name for somebody new is made of letters that names have`(hint: String, name: String) {
        let names = OpenIDActions.names(from: hint)

        #expect(names.first == name && names[1] == "\(name)-2")
        #expect(Set(names).count >= 21)
    }
}
