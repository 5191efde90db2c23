import Crypto
import Testing

struct HashTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 gives what FIPS 180-4 says`(text: String, hex: String) {
        #expect(SHA256Digest(of: text).hex == hex)
    }

    @Test(arguments: [1, 63, 64, 1000, 65536])
    func `SHA-256 in pieces gives the same for a million letters a`(piece: Int) {
        var hash = SHA256()
        var left = 1_000_000
        while left > 0 {
            hash.update([UInt8](repeating: UInt8(ascii: "a"), count: min(piece, left)))
            left -= min(piece, left)
        }

        #expect(hash.finish().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `SHA-1 and MD5 give what FIPS 180-4 and RFC 1321 say`() {
        #expect(Hex.encode(HashAlgorithm.sha1.hash(of: "abc".utf8)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(Hex.encode(HashAlgorithm.md5.hash(of: "abc".utf8)) == "900150983cd24fb0d6963f7d28e17f72")
    }

    @Test func `a digest survives its texts`() throws {
        let digest = SHA256Digest(of: "abc")

        #expect(SHA256Digest(hex: digest.hex) == digest)
        #expect(SHA256Digest(hex: digest.hex.uppercased()) == digest)
        #expect(Base64.decode(digest.base64) == digest.bytes)
        #expect(SHA256Digest(hex: "abc") == nil)
        #expect(SHA256Digest(hex: String(digest.hex.dropLast(2))) == nil)
        #expect(SHA256Digest(bytes: [1, 2, 3]) == nil)
    }

    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func `HMAC-SHA256 gives what RFC 4231 says`(key: [UInt8], message: String, hex: String) {
        #expect(Hex.encode(HMAC.sha256(message.utf8, key: key)) == hex)
    }

    @Test(arguments: [
        ([UInt8](repeating: 0x0B, count: 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
        (Array("Jefe".utf8), "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        ([], "", "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"),
    ])
    func `HMAC-SHA1 gives what RFC 2202 says`(key: [UInt8], message: String, hex: String) {
        #expect(Hex.encode(HMAC.sha1(message.utf8, key: key)) == hex)
    }

    @Test func `equality in constant time is equality`() {
        #expect(isEqualInConstantTime([1, 2, 3], [1, 2, 3]))
        #expect(isEqualInConstantTime([], []))
        #expect(!isEqualInConstantTime([1, 2, 3], [1, 2, 4]))
        #expect(!isEqualInConstantTime([1, 2, 3], [1, 2]))
    }
}
