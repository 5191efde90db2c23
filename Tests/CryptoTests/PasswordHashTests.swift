import Testing

@testable import Crypto

struct PasswordHashTests {
    private let cheap = PasswordHash.Cost(logN: 4, blockSize: 8, parallelism: 1)

    @Test(arguments: [
        (
            "password", "NaCl", 10, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", 14, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ])
    func `scrypt gives what RFC 7914 says`(
        password: String, salt: String, logN: Int, parallelism: Int, hex: String
    ) throws {
        let cost = PasswordHash.Cost(logN: logN, blockSize: 8, parallelism: parallelism)

        let hash = try PasswordHash(of: Secret(password), cost: cost, salt: Array(salt.utf8), count: 64)

        let written = try #require(hash.text.split(separator: "$").last)
        #expect(Base64.decode("\(written)==").map(Hex.encode) == hex)
    }

    @Test func `a hash knows its password and no other, also after it was stored`() throws {
        let hash = try PasswordHash(of: Secret("correct horse"), cost: cheap)
        let stored = try #require(PasswordHash(hash.text))

        #expect(try stored.matches(Secret("correct horse")))
        #expect(try !stored.matches(Secret("correct horsf")))
        #expect(try !stored.matches(Secret("")))
        #expect(stored == hash)
    }

    @Test func `two hashes of one password have nothing in common`() throws {
        let first = try PasswordHash(of: Secret("correct horse"), cost: cheap)
        let second = try PasswordHash(of: Secret("correct horse"), cost: cheap)

        #expect(first.text.split(separator: "$").suffix(2) != second.text.split(separator: "$").suffix(2))
        #expect(first != second)
    }

    @Test func `a hash of today tells the cost of today`() throws {
        let hash = try PasswordHash(of: Secret("correct horse"))

        #expect(hash.text.hasPrefix("$scrypt$ln=15,r=8,p=3$"))
        #expect(hash.cost == .current)
        #expect(try hash.matches(Secret("correct horse")))
    }

    @Test func `a hash does not show itself`() throws {
        let hash = try PasswordHash(of: Secret("correct horse"), cost: cheap)
        let end = hash.text.suffix(20)

        var dumped = ""
        dump(hash, to: &dumped)

        #expect(!"\(hash)".contains(end))
        #expect(!dumped.contains(end))
    }

    @Test(arguments: [
        "", "scrypt", "$scrypt$ln=15,r=8,p=3$AAAAAAAAAAA", "$scrypt$ln=40,r=8,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=20,r=32,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$r=8,ln=15,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$argon2id$ln=15,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func `a text that is no hash of ours is none`(text: String) {
        #expect(PasswordHash(text) == nil)
    }
}
