import Crypto
import Foundation
import Testing

struct TOTPTests {
    private let totp = TOTP(secret: Secret(Array("12345678901234567890".utf8)))

    /// RFC 6238, appendix B: the last six of its eight digits.
    @Test(arguments: [
        (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
        (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ])
    func `codes are those of the standard`(seconds: Int, code: String) {
        let time = Date(timeIntervalSince1970: Double(seconds))

        #expect(totp.code(of: TOTP.step(at: time)) == code)
        #expect(totp.step(of: code, at: time) == Int64(seconds / 30))
    }

    @Test func `a code is good one step before its own and one after, and no longer`() {
        let step: Int64 = 41_152_263
        let code = totp.code(of: step)

        let found = (-2...2).map { offset in
            totp.step(of: code, at: Date(timeIntervalSince1970: Double(step + offset) * 30 + 15))
        }

        #expect(found == [nil, step, step, step, nil])
        #expect(totp.step(of: "", at: Date()) == nil)
        #expect(totp.step(of: code, at: Date(timeIntervalSince1970: -1)) == nil)
        #expect(totp.step(of: code, at: .distantFuture) == nil)
    }

    /// RFC 4648, section 10, in small letters and without padding.
    @Test(arguments: [
        ("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("foob", "mzxw6yq"), ("fooba", "mzxw6ytb"),
        ("foobar", "mzxw6ytboi"),
    ])
    func `base32 is that of the standard`(text: String, encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
        #expect(Base32.isText(encoded))
        #expect(!Base32.isText(encoded + "1"))
    }
}
