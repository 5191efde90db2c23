import HTTP
import Testing

struct AcceptedCodingsTests {
    @Test(
        arguments: [
            (nil, .identity), ("", .identity), ("gzip", .gzip), ("GZip", .gzip), ("x-gzip", .gzip), ("*", .gzip),
            ("br, deflate, zstd", .identity), ("gzip, deflate, br, zstd", .gzip), ("br;q=1, gzip;q=0.001", .gzip),
            ("identity", .identity), ("gzip;q=0", .identity), ("gzip;q=0.0, *", .identity), ("*;q=0", .identity),
            ("compress, gzip", .gzip), ("compress;q=0.5, gzip;q=1.0", .gzip),
            ("gzip;q=1.0, identity; q=0.5, *;q=0", .gzip), ("identity;q=1, gzip;q=0.5", .identity),
            ("gzip;q=0.5, *;q=0.8", .identity), ("identity, gzip", .gzip), ("identity;q=0", .identity),
            ("identity;q=0, gzip", .gzip), ("*;q=0, gzip;q=0.1", .gzip), ("identity;q=0, *", .gzip),
            ("gzip ; q=0.2", .gzip), ("gzip;q=nonsense", .identity), ("gzip;q=2", .gzip), ("gzip;q=-1", .identity),
            (", ,gzip,", .gzip), ("gzi", .identity), ("gzipped", .identity), ("@, gzip", .gzip),
            ("gzip;q=nan", .identity),
        ] as [(String?, ContentCoding)])
    func `the coding that a client likes best is chosen`(value: String?, expected: ContentCoding) {
        #expect(AcceptedCodings(value).preferred == expected)
    }

    @Test(
        arguments: [
            (nil, true), ("", true), ("gzip", true), ("identity;q=0", false), ("*;q=0", false),
            ("*;q=0, identity", true),
        ] as [(String?, Bool)])
    func `uncoded bytes are accepted until they are refused`(value: String?, expected: Bool) {
        #expect(AcceptedCodings(value).accepts(.identity) == expected)
    }

    @Test func `a strong tag is another in another coding, a weak one is not`() {
        #expect(EntityTag("a").coded(.gzip).description == "\"a-gzip\"")
        #expect(EntityTag("a").coded(.identity).description == "\"a\"")
        #expect(EntityTag("a", weak: true).coded(.gzip).description == "W/\"a\"")
    }

    @Test(
        arguments: [
            ([:], "Accept-Encoding"), (["Vary": "Accept"], "Accept, Accept-Encoding"),
            (["Vary": "accept-encoding , Accept"], "accept-encoding , Accept"), (["Vary": "*"], "*"),
            (["Vary": "Accept", "vary": "Origin"], "Accept, Origin, Accept-Encoding"),
        ] as [(HTTPFields, String)])
    func `Vary names what an answer depends on, once`(fields: HTTPFields, expected: String) {
        var fields = fields

        fields.vary(by: "Accept-Encoding")

        #expect(fields.values("Vary") == [expected])
    }
}
