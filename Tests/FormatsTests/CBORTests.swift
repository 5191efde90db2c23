import Testing

@testable import Formats

struct CBORTests {
    /// From RFC 8949, appendix A.
    @Test(
        arguments: [
            ([0x00], CBOR.unsigned(0)), ([0x17], .unsigned(23)), ([0x18, 0x18], .unsigned(24)),
            ([0x19, 0x03, 0xE8], .unsigned(1000)), ([0x1A, 0x00, 0x0F, 0x42, 0x40], .unsigned(1_000_000)),
            ([0x1B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .unsigned(.max)),
            ([0x20], .negative(0)), ([0x39, 0x03, 0xE7], .negative(999)), ([0xF4], .bool(false)), ([0xF6], .null),
            ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])), ([0x64, 0x49, 0x45, 0x54, 0x46], .text("IETF")),
            ([0x83, 1, 2, 3], .array([.unsigned(1), .unsigned(2), .unsigned(3)])), ([0xA0], .map([])),
        ] as [([UInt8], CBOR)])
    func `values are those of the standard`(bytes: [UInt8], value: CBOR) throws {
        #expect(try CBOR(bytes) == value)
        #expect(throws: CBOR.Fault.trailingBytes) { try CBOR(bytes + [0]) }
        #expect(try CBOR.first(in: bytes + [0]).count == bytes.count)
        for count in bytes.indices { #expect(throws: CBOR.Fault.tooShort) { try CBOR(bytes.prefix(count)) } }
    }

    @Test func `entries are found by their keys`() throws {
        let map = try CBOR([0xA3, 0x61, 0x61, 0x01, 0x01, 0x02, 0x20, 0x41, 0x07])

        #expect(map["a"]?.asInt == 1)
        #expect(map[1]?.asInt == 2)
        #expect(map[-1]?.asBytes == [7])
        #expect(map[2] == nil && map["b"] == nil && CBOR.null["a"] == nil)
        #expect(try CBOR([0x3B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]).asInt == nil)
    }

    @Test(
        arguments: [
            // Not in the shortest form.
            [0x18, 0x17], [0x19, 0x00, 0xFF], [0x1A, 0, 0, 0xFF, 0xFF], [0x58, 0x01, 0x00],
            // Lengths that come later, tags, numbers with fractions, other simple values.
            [0x5F, 0xFF], [0x9F, 0xFF], [0xBF, 0xFF], [0xC0, 0x00], [0xF9, 0x00, 0x00], [0xF7], [0xF8, 0x20], [0x1C],
            // Keys that come twice, and keys of other kinds.
            [0xA2, 0x01, 0x00, 0x01, 0x00], [0xA1, 0x41, 0x00, 0x00],
            // Text that is no UTF-8.
            [0x61, 0xFF],
        ] as [[UInt8]])
    func `what CTAP does not allow is refused`(bytes: [UInt8]) {
        #expect(throws: CBOR.Fault.notAllowed) { try CBOR(bytes) }
    }

    @Test func `levels, values and lengths have bounds`() {
        #expect(throws: CBOR.Fault.tooLarge) { try CBOR([UInt8](repeating: 0x81, count: 40) + [0]) }
        #expect(throws: CBOR.Fault.tooLarge) { try CBOR([0x9A, 0xFF, 0xFF, 0xFF, 0xFF]) }
        #expect(throws: CBOR.Fault.tooLarge) {
            try CBOR([0x82] + [[UInt8]](repeating: [0x98, 200] + [UInt8](repeating: 0, count: 200), count: 2).joined())
        }
        #expect(throws: CBOR.Fault.tooShort) { try CBOR([0x5B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) }
    }
}
