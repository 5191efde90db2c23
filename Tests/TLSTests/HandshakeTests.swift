import CTLS
import Testing

@testable import TLS

struct HandshakeTests {
    @Test(arguments: [(TLS1_2_VERSION, "TLSv1.2"), (TLS1_3_VERSION, "TLSv1.3")])
    func `a client of a current version gets through, and bytes go both ways`(version: Int32, name: String) throws {
        let connection = try TestConnection(sharedContext(), ClientWishes(versions: version...version))

        #expect(connection.shakeHands() == (.done, .done))

        #expect(connection.server.version == name)
        #expect(connection.server.handshake() == .done)
        #expect(!connection.server.isResumed)
        var question = ArraySlice("question".utf8)
        #expect(connection.client.send(&question) == .done)
        #expect(connection.receive() == (.bytes(8), Array("question".utf8)))
        #expect(connection.receive() == (.wantsRead, []))
        #expect(connection.send("answer") == .bytes(6))
        var response: [UInt8] = []
        #expect(connection.client.receive(into: &response) == .waits)
        #expect(response == Array("answer".utf8))
    }

    @Test(arguments: [TLS1_VERSION, TLS1_1_VERSION])
    func `older versions are refused`(version: Int32) throws {
        let connection = try TestConnection(sharedContext(), ClientWishes(versions: version...version))

        let result = connection.shakeHands()

        #expect(result == (.failed("unsupported protocol"), .failed("tlsv1 alert protocol version")))
        #expect(connection.server.handshake() == .failed("unsupported protocol"))
    }

    @Test(arguments: ["AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA256", "DHE-RSA-AES128-GCM-SHA256", "eNULL"])
    func `weak ciphers are refused`(cipher: String) throws {
        let wishes = ClientWishes(versions: TLS1_2_VERSION...TLS1_2_VERSION, ciphers: "\(cipher):@SECLEVEL=0")
        let connection = try TestConnection(sharedContext(), wishes)

        let result = connection.shakeHands()

        #expect(result == (.failed("no shared cipher"), .failed("sslv3 alert handshake failure")))
    }

    @Test(arguments: [
        // The server prefers AES …
        (TLS1_3_VERSION, "TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"),
        (TLS1_2_VERSION, "ECDHE+AES256:ECDHE+AESGCM:ECDHE+CHACHA20", "ECDHE-ECDSA-AES128-GCM-SHA256"),
        // … unless the client puts ChaCha20 first, as those without AES in hardware do.
        (TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"),
        (TLS1_2_VERSION, "ECDHE+CHACHA20:ECDHE+AESGCM", "ECDHE-ECDSA-CHACHA20-POLY1305"),
    ])
    func `the server chooses the cipher, and heeds clients that are better at ChaCha20`(
        version: Int32, offered: String, chosen: String
    ) throws {
        var wishes = ClientWishes(versions: version...version)
        if version == TLS1_3_VERSION { wishes.suites = offered } else { wishes.ciphers = offered }

        let connection = try connect(sharedContext(), wishes)

        #expect(connection.server.cipher == chosen)
    }

    @Test(arguments: [
        ("X25519", "X25519"), ("P-256", "prime256v1"), ("P-384", "secp384r1"), ("P-521:P-256", "prime256v1"),
    ])
    func `keys are agreed on over one of three groups`(offered: String, chosen: String) throws {
        let connection = try connect(sharedContext(), ClientWishes(groups: offered))

        #expect(connection.client.group == chosen)
    }

    @Test func `a client with other groups is refused`() throws {
        let connection = try TestConnection(sharedContext(), ClientWishes(groups: "P-521"))

        let result = connection.shakeHands()

        #expect(result == (.failed("no suitable key share"), .failed("sslv3 alert handshake failure")))
    }

    @Test(arguments: [(TLS1_2_VERSION, "ECDHE-RSA-AES128-GCM-SHA256"), (TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256")])
    func `an RSA certificate does as well`(version: Int32, cipher: String) throws {
        let context = try withCertificateFolder { folder in
            try TLSServerContext(identities: [folder.makeIdentity("server", kind: .rsa)], protocols: [])
        }

        let connection = try connect(context, ClientWishes(versions: version...version))

        #expect(connection.client.certificateName == "server")
        #expect(connection.server.cipher == cipher)
    }

    @Test func `a handshake over a nearly full socket waits, and then goes on`() throws {
        let connection = try TestConnection(sharedContext(), bufferSize: 4096)
        #expect(connection.client.handshake() == .waits)
        let filling = connection.sockets.fillFromServer()

        #expect(connection.server.handshake() == .wantsWrite)

        connection.sockets.takeAtClient(filling)
        #expect(connection.shakeHands() == (.done, .done))
    }
}
