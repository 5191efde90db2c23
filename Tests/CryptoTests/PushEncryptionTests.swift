import Testing

@testable import Crypto

/// The published examples of Web Push's encryption. The decryption here is for them alone: Pics never decrypts.
struct PushEncryptionTests {
    /// RFC 8291, section 5 and appendix A.
    private enum Example {
        static let text = Array("When I grow up, I want to be a watermelon".utf8)
        static let sender = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let senderPoint =
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        static let receiver = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
        static let receiverPoint =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let secret = "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"
        static let keying = "S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg"
        static let key = "oIhVW04MRdy2XN9CiKLxTg"
        static let nonce = "4h_95klXJ5E_qnoN"
        static let body = """
            DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_\
            yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
            """
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    /// A key of which only the number is published, as RFC 5915 writes it.
    private func key(_ number: String, _ point: String) throws -> SigningKey {
        let start: [UInt8] = [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20]
        let middle: [UInt8] = [
            0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0xA1, 0x44, 0x03, 0x42, 0x00,
        ]
        let der = Base64.encode(start + (try bytes(number)) + middle + (try bytes(point)))
        return try SigningKey(pem: Secret("-----BEGIN EC PRIVATE KEY-----\n\(der)\n-----END EC PRIVATE KEY-----\n"))
    }

    @Test func `both sides of RFC 8291's example agree on its secret`() throws {
        let sender = try key(Example.sender, Example.senderPoint)
        let receiver = try key(Example.receiver, Example.receiverPoint)

        #expect(try sender.sharedSecret(with: receiver.publicPoint) == bytes(Example.secret))
        #expect(try receiver.sharedSecret(with: sender.publicPoint) == bytes(Example.secret))
    }

    @Test func `key and nonce are those of RFC 8291's example`() throws {
        let keys = EncryptedContent.Keys(secret: try bytes(Example.keying), salt: try bytes(Example.salt))

        #expect(try keys.key == bytes(Example.key))
        #expect(try keys.nonce == bytes(Example.nonce))
    }

    @Test func `the message of RFC 8291's example is encrypted to its bytes`() throws {
        let recipient = try PushRecipient(
            publicPoint: try bytes(Example.receiverPoint), secret: Secret(try bytes(Example.auth)))

        let message = try recipient.encrypt(
            Example.text, paddedTo: Example.text.count + 1, key: try key(Example.sender, Example.senderPoint),
            salt: try bytes(Example.salt))

        #expect(try message.bytes == bytes(Example.body))
    }

    @Test func `the first example of RFC 8188 is encrypted to its bytes`() throws {
        let content = try EncryptedContent(
            Array("I am the walrus".utf8), paddedTo: 16, secret: try bytes("yqdlZ-tYemfogSmv7Ws5PQ"),
            salt: try bytes("I1BsxtFttlv3u_Oo94xnmw"), keyID: [])

        #expect(
            try content.bytes == bytes("I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"))
    }

    @Test func `the keys of RFC 8188's second example open its two records`() throws {
        let body = try bytes(
            "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uA")
        let keys = EncryptedContent.Keys(secret: try bytes("BO3ZVPxUlnLORbVGMpbT1Q"), salt: Array(body.prefix(16)))
        #expect(Array(body[16..<20]) == [0, 0, 0, 25] && Array(body[20..<23]) == [2] + Array("a1".utf8))

        var text: [UInt8] = []
        for (number, start) in stride(from: 23, to: body.count, by: 25).enumerated() {
            let record = Array(body[start..<min(start + 25, body.count)])
            var nonce = keys.nonce
            nonce[11] ^= UInt8(number)
            let cipher = try CipherContext(key: keys.key, nonce: nonce, encrypts: false)
            let padded = try cipher.process(Array(record.dropLast(16)))
            try cipher.check(tag: Array(record.suffix(16)))
            let end = try #require(padded.lastIndex { $0 != 0 })
            #expect(padded[end] == (number == 0 ? 1 : 2))
            text += padded[..<end]
        }

        #expect(String(decoding: text, as: UTF8.self) == "I am the walrus")
    }

    @Test(arguments: [0, 1, 500, 2047])
    func `every message has the same length and another key`(count: Int) throws {
        let recipient = try PushRecipient(
            publicPoint: try bytes(Example.receiverPoint), secret: Secret(try bytes(Example.auth)))
        let text = [UInt8](repeating: 65, count: count)

        let (one, other) = (
            try recipient.encrypt(text, paddedTo: 2048).bytes, try recipient.encrypt(text, paddedTo: 2048).bytes
        )

        #expect(one.count == 86 + 2048 + 16 && other.count == one.count)
        #expect(one.prefix(16) != other.prefix(16) && one[21..<86] != other[21..<86])
    }

    @Test func `a message that does not fit is refused`() throws {
        let recipient = try PushRecipient(
            publicPoint: try bytes(Example.receiverPoint), secret: Secret(try bytes(Example.auth)))

        #expect(throws: CryptoError.malformed) {
            try recipient.encrypt([UInt8](repeating: 65, count: 2048), paddedTo: 2048)
        }
        #expect(throws: CryptoError.malformed) { try recipient.encrypt([], paddedTo: 4081) }
    }

    @Test func `what is no point of the curve and what is no secret is refused`() throws {
        let point = try bytes(Example.receiverPoint)
        let secret = Secret(try bytes(Example.auth))
        let zero = [4] + [UInt8](repeating: 0, count: 64)
        var other = point
        other[64] ^= 1

        let compressed: [UInt8] = [2] + point.dropFirst()
        let wrongs: [[UInt8]] = [[], [4], Array(point.dropLast()), point + [0], compressed, zero, other]
        for wrong in wrongs {
            #expect(throws: CryptoError.malformed) { try PushRecipient(publicPoint: wrong, secret: secret) }
            #expect(throws: CryptoError.malformed) { try SigningKey().sharedSecret(with: wrong) }
        }
        #expect(throws: CryptoError.malformed) { try PushRecipient(publicPoint: point, secret: Secret([1])) }
    }
}
