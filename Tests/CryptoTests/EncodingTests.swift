import Crypto
import Testing

struct EncodingTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `base64 is as in RFC 4648`(text: String, encoded: String) {
        #expect(Base64.encode(text.utf8) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
        let unpadded = encoded.filter { $0 != "=" }
        #expect(Base64URL.encode(text.utf8) == unpadded)
        #expect(Base64URL.decode(unpadded) == Array(text.utf8))
    }

    @Test func `the alphabets differ in two characters`() {
        #expect(Base64.encode([0xFB, 0xEF, 0xFF]) == "++//")
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
        #expect(Base64URL.decode("--__") == [0xFB, 0xEF, 0xFF])
    }

    @Test(arguments: ["Zg", "Zg=", "Z===", "Zm9v\n", "Zm 9v", "Zm9*", "--__"])
    func `what is not base64 is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: ["Zg==", "Z", "++//", "Zm9v ", "Zé"])
    func `what is not base64url is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `hexadecimal digits come in pairs`() {
        #expect(Hex.encode([0x00, 0x7F, 0xFF]) == "007fff")
        #expect(Hex.decode("007fFF") == [0x00, 0x7F, 0xFF])
        #expect(Hex.decode("") == [])
        #expect(Hex.decode("abc") == nil)
        #expect(Hex.decode("0g") == nil)
        #expect(Hex.decode("é0") == nil)
    }

    @Test func `a token has its prefix and 256 bits, and no two are alike`() {
        let tokens = Set((0..<100).map { _ in makeToken(prefix: "pics").reveal() })

        #expect(tokens.count == 100)
        #expect(tokens.allSatisfy { $0.hasPrefix("pics_") && Base64URL.decode(String($0.dropFirst(5)))?.count == 32 })
    }

    @Test func `random bytes are as many as asked for`() {
        #expect(randomBytes(count: 0) == [])
        #expect(randomBytes(count: 33).count == 33)
        #expect(randomBytes(count: 32) != randomBytes(count: 32))
    }
}
