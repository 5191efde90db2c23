import Foundation
import Testing

@testable import Crypto

struct SigningKeyTests {
    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsID6l7nDwVQzceKP
        58jAiSIaxFoMpi/gzmUqqCnw6SChRANCAAS86Xf/wV64qYb+jjEf3IdYrKTo5u+7
        VjL3gPDFnw/3FSwH+WB+NNGzdr0AdWri2AZ2C2FTDHWo6UHL5dumldmW
        -----END PRIVATE KEY-----

        """

    /// The expected texts were computed by other tools from what openssl says of the key.
    @Test func `a key read from PEM has the public point and the thumbprint of its web key`() throws {
        let key = try SigningKey(pem: Secret(Self.pem))

        #expect(
            key.publicJWK
                == #"{"crv":"P-256","kty":"EC","x":"vOl3_8FeuKmG_o4xH9yHWKyk6Obvu1Yy94DwxZ8P9xU","y":"LAf5YH400bN2vQB1auLYBnYLYVMMdajpQcvl26aV2ZY"}"#
        )
        #expect(key.thumbprint == "WaUxz8vNja_ZsTjIzO0WKfYMW9iVX8mHOmy0mDpL--c")
        #expect(key.publicPoint.count == 65)
    }

    @Test func `a new key is another each time, and survives as PEM`() throws {
        let (one, other) = (try SigningKey(), try SigningKey())

        let again = try SigningKey(pem: try one.pem)

        #expect(one.publicPoint != other.publicPoint)
        #expect(again.publicPoint == one.publicPoint)
        #expect(again.thumbprint == one.thumbprint)
    }

    @Test func `a signature is two numbers of 32 bytes that openssl takes for good`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "signing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = try SigningKey()
        let message = Array("message".utf8)

        let signature = try key.sign(message)

        #expect(signature.count == 64)
        try Data(message).write(to: folder.appending(path: "message"))
        try Data(key.pem.reveal().utf8).write(to: folder.appending(path: "key"))
        try Data(der(signature)).write(to: folder.appending(path: "signature"))
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/openssl")
        openssl.currentDirectoryURL = folder
        openssl.arguments = ["dgst", "-sha256", "-prverify", "key", "-signature", "signature", "message"]
        openssl.standardOutput = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        #expect(openssl.terminationStatus == 0)
    }

    /// Both numbers as a structure of ASN.1 (RFC 3279, section 2.2.3).
    private func der(_ signature: [UInt8]) -> [UInt8] {
        let numbers = [signature.prefix(32), signature.suffix(32)].flatMap { half -> [UInt8] in
            let digits = half.drop { $0 == 0 }
            let whole = (digits.first ?? 0) >= 0x80 ? [0] + Array(digits) : Array(digits)
            return [2, UInt8(whole.count)] + whole
        }
        return [0x30, UInt8(numbers.count)] + numbers
    }

    @Test(arguments: ["", "-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n", "x"])
    func `what is no key is refused`(pem: String) {
        #expect(throws: CryptoError.malformed) { try SigningKey(pem: Secret(pem)) }
    }
}
