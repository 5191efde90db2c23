import Foundation
import HTTP
import Testing

@testable import Actions

/// Tokens that another library has made, of 2026-09-21.
struct IDTokenTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_030)

    private struct Sample {
        let token: String
        let keys: [IssuerKey]
    }

    private func sample(_ algorithm: String) throws -> Sample {
        let path = #filePath.replacing("IDTokenTests.swift", with: "Fixtures/openid-tokens.json")
        let file = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: path))))
        let found = try #require(file["tokens"]?.array?.first { $0["algorithm"]?.string == algorithm })
        return Sample(
            token: try #require(found["token"]?.string), keys: IssuerKey.all(try #require(found["jwks"])))
    }

    private func verify(
        _ token: String, _ keys: [IssuerKey], client: String = "pics", now: Date = now
    ) throws -> OpenIDClaims {
        try IDToken(token).verify(
            by: keys, issuer: "https://id.example", client: client, nonce: "n-0S6_WzA2Mj", now: now)
    }

    @Test(arguments: ["RS256", "ES256", "EdDSA"])
    func `a token says who somebody is`(algorithm: String) throws {
        let sample = try sample(algorithm)

        let claims = try verify(sample.token, sample.keys)

        #expect(claims.issuer == "https://id.example" && claims.subject == "248289761001")
        #expect(claims.label == "ann@example.org" && claims.nameHint == "ann")
    }

    @Test(arguments: ["RS512", "ES384", "HS256", "PS256"])
    func `other algorithms are refused`(algorithm: String) throws {
        let sample = try sample(algorithm)

        #expect(throws: OpenIDFault.algorithm) { try verify(sample.token, sample.keys) }
        #expect(!sample.keys.contains { $0.id == "hs256" })
    }

    @Test func `keys of other tokens, and changed tokens, are refused`() throws {
        let (rsa, ec) = (try sample("RS256"), try sample("ES256"))
        let parts = rsa.token.split(separator: ".")

        #expect(throws: OpenIDFault.unknownKey) { try verify(rsa.token, ec.keys) }
        #expect(throws: OpenIDFault.unknownKey) { try verify(rsa.token, []) }
        let swapped = "\(parts[0]).\(parts[1]).\(ec.token.split(separator: ".")[2])"
        #expect(throws: OpenIDFault.wrongSignature) { try verify(swapped, rsa.keys) }
        #expect(throws: OpenIDFault.otherAudience) { try verify(rsa.token, rsa.keys, client: "other") }
        for bad in ["", "a.b", "a.b.c", "..", "\(rsa.token).x", String(repeating: "a", count: 20_000)] {
            #expect(throws: OpenIDFault.malformed) { try verify(bad, rsa.keys) }
        }
    }

    @Test func `a token has its time, and clocks may differ by a minute`() throws {
        let sample = try sample("ES256")
        func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_790_000_000 + seconds) }

        for seconds in [-59.0, 0, 599] {
            #expect(throws: Never.self) { try verify(sample.token, sample.keys, now: at(seconds)) }
        }
        #expect(throws: OpenIDFault.notYetValid) { try verify(sample.token, sample.keys, now: at(-61)) }
        #expect(throws: OpenIDFault.expired) { try verify(sample.token, sample.keys, now: at(601)) }
    }

    @Test func `keys that are weak, for other purposes, or none are left out`() throws {
        let keys: JSONValue = [
            "keys": [
                ["kty": "RSA", "n": "AQAB", "e": "AQAB"], ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"],
                ["kty": "oct", "k": "AAAA"], ["kty": "OKP", "crv": "Ed25519", "x": "AA"], "no key", 1,
                [
                    "kty": "OKP", "crv": "Ed25519", "use": "enc",
                    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                ],
                [
                    "kty": "OKP", "crv": "Ed25519", "alg": "ES256",
                    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                ],
                ["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
            ]
        ]

        #expect(IssuerKey.all(keys).count == 1)
        #expect(IssuerKey.all(.null).isEmpty)
    }
}
