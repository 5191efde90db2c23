import Testing

@testable import Crypto

struct SealingKeyTests {
    private let key = SealingKey.random()
    private let secret = Array("an access token".utf8)

    @Test(arguments: [
        // Test cases 13, 14 and 16 of "The Galois/Counter Mode of Operation" (McGrew, Viega), which NIST published.
        (
            String(repeating: "0", count: 64), "000000000000000000000000", "", "", "",
            "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        (
            String(repeating: "0", count: 64), "000000000000000000000000", "", "00000000000000000000000000000000",
            "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
            "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
            "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ])
    func `AES-256-GCM gives what NIST says`(
        key: String, nonce: String, context: String, plaintext: String, ciphertext: String, tag: String
    ) throws {
        let cipher = try CipherContext(
            key: try #require(Hex.decode(key)), nonce: try #require(Hex.decode(nonce)), encrypts: true)

        try cipher.authenticate(try #require(Hex.decode(context)))
        let result = try cipher.process(try #require(Hex.decode(plaintext)))
        let resultTag = try cipher.makeTag(count: 16)

        #expect(Hex.encode(result) == ciphertext)
        #expect(Hex.encode(resultTag) == tag)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 100_000])
    func `what was sealed opens`(count: Int) throws {
        let plaintext = randomBytes(count: count)

        let sealed = try key.seal(plaintext, context: "connections/7")

        #expect(sealed.count == count + 33)
        #expect(try key.open(sealed, context: "connections/7") == plaintext)
    }

    @Test func `sealing twice gives different bytes`() throws {
        #expect(try key.seal(secret, context: "a") != key.seal(secret, context: "a"))
    }

    @Test func `another context does not open it`() throws {
        let sealed = try key.seal(secret, context: "connections/7")

        #expect(throws: CryptoError.notAuthentic) { try key.open(sealed, context: "connections/8") }
    }

    @Test func `no byte can be changed unnoticed`() throws {
        let sealed = try key.seal(secret, context: "a")

        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: CryptoError.self) { try key.open(changed, context: "a") }
        }
        #expect(throws: CryptoError.notAuthentic) { try key.open(sealed.dropLast(), context: "a") }
        #expect(throws: CryptoError.malformed) { try key.open(sealed.prefix(32), context: "a") }
        #expect(throws: CryptoError.malformed) { try key.open([], context: "a") }
    }

    @Test func `a ring opens what former keys sealed and seals with the current one`() throws {
        let new = SealingKey.random()
        let ring = KeyRing(current: new, former: [key])
        let old = try key.seal(secret, context: "a")
        let fresh = try ring.seal(secret, context: "a")

        #expect(try ring.open(old, context: "a") == secret)
        #expect(try new.open(fresh, context: "a") == secret)
        #expect(try ring.isOutdated(old))
        #expect(try !ring.isOutdated(fresh))
        #expect(throws: CryptoError.unknownKey(new.id)) { try KeyRing(current: key).open(fresh, context: "a") }
    }

    @Test func `a key and a secret never show themselves`() throws {
        struct OpenedAccount {
            let token = Secret("hunter2")
            let key: SealingKey
        }
        let bytes = Array("an easily found key of 32 bytes!".utf8)
        let account = OpenedAccount(key: try #require(SealingKey(bytes: bytes)))
        var dumped = ""
        dump(account, to: &dumped)

        for text in ["\(account)", String(reflecting: account), dumped, "\(account.token)", "\(account.key)"] {
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("\(bytes[0]), \(bytes[1])"))
            #expect(!text.contains(Base64.encode(bytes)))
        }
        #expect("\(account.token)" == "[secret]")
        #expect(String(reflecting: account.token) == "[secret]")
        #expect(account.token.reveal() == "hunter2")
    }
}
