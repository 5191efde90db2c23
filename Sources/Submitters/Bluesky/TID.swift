internal import Crypto
internal import Foundation

/// A record key that holds a time: 13 characters that sort as they were made.
///
/// Source: atproto.com/specs/tid, read 2026-11-21: one zero bit, 53 bits of microseconds since 1970, 10 bits of a clock
/// identifier; base32 with an alphabet of its own.
enum TID {
    private static let alphabet = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)

    /// The key of a time; `seed` makes keys of one microsecond differ.
    static func make(_ time: Date, seed: String) -> String {
        let microseconds = UInt64(max(0, time.timeIntervalSince1970 * 1_000_000)) & (1 << 53 - 1)
        let digest = SHA256Digest(of: seed).bytes
        let clock = UInt64(digest[0]) << 8 | UInt64(digest[1])
        let value = microseconds << 10 | clock & 1023
        let letters = (0..<13).map { alphabet[Int(value >> UInt64(60 - 5 * $0) & 31)] }
        return String(decoding: letters, as: UTF8.self)
    }
}
