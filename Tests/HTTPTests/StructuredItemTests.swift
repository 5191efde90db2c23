import Testing

@testable import HTTP

struct StructuredItemTests {
    @Test(
        arguments: [
            ("?1", true), ("?0", false), (" ?1 ", true), ("?1;a=b", true), ("1", nil), ("?2", nil), ("?11", nil),
            ("", nil),
            ("true", nil), ("?1, ?0", nil),
        ] as [(String, Bool?)])
    func `a boolean is ?0 or ?1 and nothing else`(text: String, value: Bool?) {
        #expect(structuredBoolean(text) == value)
    }

    @Test(
        arguments: [
            ("0", 0), ("42", 42), (" 7", 7), ("999999999999999", 999_999_999_999_999), ("1000000000000000", nil),
            ("-1", nil),
            ("1.5", nil), ("", nil), ("1 2", nil), ("5;q=1", 5),
        ] as [(String, Int64?)])
    func `a natural number has at most fifteen digits`(text: String, value: Int64?) {
        #expect(structuredNatural(text) == value)
    }

    @Test(
        arguments: [
            ("sha-256=:AQID:", ["sha-256": "AQID"]),
            ("md5=:AA==:, sha-256=:AQID:", ["md5": "AA==", "sha-256": "AQID"]),
            ("sha-256=AQID", nil), ("sha-256=:AQID", nil), ("=:AQ:", nil), ("sha-256=:AQID:,", nil), ("", nil),
        ] as [(String, [String: String]?)])
    func `digests are a dictionary of byte sequences`(text: String, value: [String: String]?) {
        #expect(structuredDigests(text) == value)
    }
}
