import Crypto
import Foundation
import HTTP
import Testing

@testable import Actions

/// The vectors of the standard, which other authors have computed.
struct WebAuthnTests {
    private struct Vector {
        let credentialID: [UInt8]
        let create: [String: [UInt8]]
        let get: [String: [UInt8]]
    }

    private static let site = WebAuthnSite(base: "https://example.org")

    private func vector(_ name: String) throws -> Vector {
        let path = #filePath.replacing("WebAuthnTests.swift", with: "Fixtures/webauthn-level-3.json")
        let file = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: path))))
        let found = try #require(file["vectors"]?.array?.first { $0["name"]?.string == name })
        func bytes(_ part: String) throws -> [String: [UInt8]] {
            let members = try #require(found[part]?.object).map { ($0.name, $0.value.string.flatMap(Hex.decode) ?? []) }
            return Dictionary(members) { first, _ in first }
        }
        return Vector(
            credentialID: try #require(found["credential_id"]?.string.flatMap(Hex.decode)), create: try bytes("create"),
            get: try bytes("get"))
    }

    private func register(
        _ vector: Vector, _ change: ([UInt8]) -> [UInt8] = { $0 }, at site: WebAuthnSite? = site
    ) throws -> WebAuthnRegistration {
        try WebAuthnRegistration(
            clientData: vector.create["client_data"] ?? [],
            attestationObject: change(vector.create["attestation_object"] ?? []), at: try #require(site))
    }

    private func assertion(
        _ vector: Vector, authenticatorData: [UInt8]? = nil, signature: [UInt8]? = nil, at site: WebAuthnSite? = site
    ) throws -> WebAuthnAssertion {
        try WebAuthnAssertion(
            clientData: vector.get["client_data"] ?? [],
            authenticatorData: authenticatorData ?? vector.get["authenticator_data"] ?? [],
            signature: signature ?? vector.get["signature"] ?? [], at: try #require(site))
    }

    @Test(arguments: [
        "none-es256", "packed-self-es256", "none-es256-long-credential-id", "packed-es256", "packed-rs256",
        "packed-eddsa", "tpm-es256", "android-key-es256", "apple-es256", "fido-u2f-es256",
    ])
    func `the vectors of the standard are taken, whatever they say of the authenticator's make`(name: String) throws {
        let vector = try vector(name)

        let registration = try register(vector)
        let assertion = try assertion(vector)

        #expect(registration.challenge == vector.create["challenge"])
        #expect(registration.credentialID == vector.credentialID)
        #expect(assertion.challenge == vector.get["challenge"])
        #expect(registration.isBackupEligible == assertion.isBackupEligible)
        #expect(try assertion.isSigned(by: registration.publicKey))
        let flags = try #require(vector.get["authenticator_data"])[32]
        #expect(assertion.isVerified == (flags & 4 != 0))
    }

    @Test(arguments: [
        ("none-es256-crossOrigin", WebAuthnFault.crossOrigin), ("none-es256-topOrigin", .crossOrigin),
        ("packed-es384", .unknownKey), ("packed-ed448", .unknownKey),
    ])
    func `frames of other sites, and other kinds of keys, are refused`(name: String, fault: WebAuthnFault) throws {
        let vector = try vector(name)

        #expect(throws: fault) { try register(vector) }
    }

    @Test func `an answer for another act, site or origin is refused`() throws {
        let vector = try vector("none-es256")
        let other = WebAuthnSite(base: "https://example.com")
        let port = WebAuthnSite(base: "https://example.org:8443")
        let swapped = Vector(
            credentialID: [], create: vector.create.merging(["client_data": vector.get["client_data"] ?? []]) { $1 },
            get: vector.get)

        #expect(throws: WebAuthnFault.otherOrigin) { try register(vector, at: other) }
        #expect(throws: WebAuthnFault.otherOrigin) { try assertion(vector, at: port) }
        #expect(throws: WebAuthnFault.otherType) { try register(swapped) }
        var data = try #require(vector.get["authenticator_data"])
        data[0] ^= 1
        #expect(throws: WebAuthnFault.otherSite) { try assertion(vector, authenticatorData: data) }
    }

    @Test func `a changed byte of what was signed, of the signature or of the key is noticed`() throws {
        let vector = try vector("none-es256")
        let key = try register(vector).publicKey
        var data = try #require(vector.get["authenticator_data"])
        let signature = try #require(vector.get["signature"])

        data[36] = 1
        #expect(try !assertion(vector, authenticatorData: data).isSigned(by: key))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(try !assertion(vector, signature: changed).isSigned(by: key))
        }
        #expect(try !assertion(vector, signature: []).isSigned(by: key))
        var off = key
        off[off.count - 1] ^= 1
        #expect(throws: WebAuthnFault.unknownKey) { try assertion(vector).isSigned(by: off) }
    }

    @Test func `what nobody has touched, and flags that contradict each other, are refused`() throws {
        let vector = try vector("none-es256")
        var data = try #require(vector.get["authenticator_data"])
        data[32] = 0x18
        #expect(throws: WebAuthnFault.notVerified) { try assertion(vector, authenticatorData: data) }
        // Backed up, and not to be backed up.
        data[32] = 0x11
        #expect(throws: WebAuthnFault.malformed) { try assertion(vector, authenticatorData: data) }
        // Extensions are told of, and there are none.
        data[32] = 0x81
        #expect(throws: WebAuthnFault.malformed) { try assertion(vector, authenticatorData: data) }
        #expect(throws: Never.self) { try assertion(vector, authenticatorData: data + [0xA0]) }
    }

    @Test func `a registration that was cut anywhere is refused`() throws {
        let vector = try vector("packed-es256")
        let whole = try #require(vector.create["attestation_object"])

        for count in whole.indices {
            #expect(throws: WebAuthnFault.malformed) {
                try register(vector, { (whole: [UInt8]) -> [UInt8] in Array(whole.prefix(count)) })
            }
        }
        #expect(throws: WebAuthnFault.malformed) {
            try register(vector, { (whole: [UInt8]) -> [UInt8] in whole + [0] })
        }
    }

    @Test(arguments: [
        ("https://pics.example", "pics.example", "https://pics.example"),
        ("https://Pics.example:8443/", "pics.example", "https://pics.example:8443"),
        ("https://pics.example:443", "pics.example", "https://pics.example"),
        ("http://localhost:8080", "localhost", "http://localhost:8080"),
    ])
    func `a site is the host of the base address`(base: String, id: String, origin: String) throws {
        let site = try #require(WebAuthnSite(base: base))

        #expect(site.id == id && site.origin == origin)
    }

    @Test(arguments: ["", "http://pics.example", "https://192.0.2.1", "https://[::1]:8443", "http://127.0.0.1:8080"])
    func `without HTTPS or a name there are no passkeys`(base: String) {
        #expect(WebAuthnSite(base: base) == nil)
    }
}
