import HTTP
import Testing

struct PreconditionsTests {
    private let tag = EntityTag("v2")
    private let date = HTTPDate(secondsSince1970: 784_111_777)

    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"

    @Test(
        arguments: [
            ([:], .proceed),
            (["If-None-Match": "\"v2\""], .notModified), (["If-None-Match": "\"v1\", W/\"v2\""], .notModified),
            (["If-None-Match": "*"], .notModified), (["If-None-Match": "\"v1\""], .proceed),
            (["If-None-Match": "v2"], .proceed), (["If-None-Match": "\"v1\", broken, \"v2\""], .notModified),
            (["If-Modified-Since": same], .notModified), (["If-Modified-Since": earlier], .proceed),
            (["If-Modified-Since": "yesterday"], .proceed),
            // If-None-Match makes If-Modified-Since void.
            (["If-None-Match": "\"v1\"", "If-Modified-Since": same], .proceed),
        ] as [(HTTPFields, Preconditions.Outcome)])
    func `a cached copy is used while it is fresh`(fields: HTTPFields, expected: Preconditions.Outcome) {
        #expect(Preconditions.evaluate(method: .get, fields: fields, etag: tag, lastModified: date) == expected)
    }

    @Test(
        arguments: [
            (["If-Match": "\"v2\""], .proceed), (["If-Match": "\"v1\", \"v2\""], .proceed),
            (["If-Match": "*"], .proceed),
            (["If-Match": "\"v1\""], .failed), (["If-Match": "W/\"v2\""], .failed),
            (["If-Unmodified-Since": same], .proceed), (["If-Unmodified-Since": earlier], .failed),
            // If-Match makes If-Unmodified-Since void.
            (["If-Match": "\"v2\"", "If-Unmodified-Since": earlier], .proceed),
            (["If-None-Match": "*"], .failed), (["If-None-Match": "\"v2\""], .failed),
            (["If-Modified-Since": same], .proceed),
            (["If-Match": "\"v2\"", "If-None-Match": "\"v2\""], .failed),
        ] as [(HTTPFields, Preconditions.Outcome)])
    func `an edit happens only to what the client has seen`(fields: HTTPFields, expected: Preconditions.Outcome) {
        #expect(Preconditions.evaluate(method: .patch, fields: fields, etag: tag, lastModified: date) == expected)
    }

    @Test func `a star speaks about existence`() {
        let mustExist: HTTPFields = ["If-Match": "*"]
        let mustNot: HTTPFields = ["If-None-Match": "*"]

        #expect(Preconditions.evaluate(method: .put, fields: mustExist, etag: nil, exists: false) == .failed)
        #expect(Preconditions.evaluate(method: .put, fields: mustNot, etag: nil, exists: false) == .proceed)
    }

    @Test(
        arguments: [
            (nil, true), ("\"v2\"", true), ("\"v1\"", false), ("W/\"v2\"", false), (same, true), (earlier, false),
            ("\"v2-gzip\"", false), ("Sunday, 06-Nov-94 08:49:37 GMT", true), ("\"v1\", \"v2\"", false), ("*", false),
            ("broken", false),
        ] as [(String?, Bool)])
    func `a range is given only from the copy the client has`(value: String?, expected: Bool) {
        var fields = HTTPFields()
        if let value { fields.add("If-Range", value) }

        #expect(Preconditions.allowsRange(fields: fields, etag: tag, lastModified: date) == expected)
    }

    @Test(
        arguments: [
            (.get, ["If-None-Match": "\"v2-gzip\"", "Accept-Encoding": "gzip"], .notModified),
            (.get, ["If-None-Match": "\"v2\"", "Accept-Encoding": "gzip"], .notModified),
            (.get, ["If-None-Match": "\"v1-gzip\"", "Accept-Encoding": "gzip"], .proceed),
            // A client that does not take gzip (any more) must not be led to a stored copy in gzip.
            (.get, ["If-None-Match": "\"v2-gzip\""], .proceed),
            (.get, ["If-None-Match": "\"v2-gzip\"", "Accept-Encoding": "gzip;q=0"], .proceed),
            (.put, ["If-None-Match": "\"v2-gzip\""], .failed),
            (.put, ["If-Match": "\"v2-gzip\""], .proceed), (.put, ["If-Match": "W/\"v2-gzip\""], .failed),
            (.put, ["If-Match": "\"v1-gzip\""], .failed), (.get, ["If-Match": "\"v2-gzip\""], .proceed),
        ] as [(HTTPMethod, HTTPFields, Preconditions.Outcome)])
    func `the tag of a compressed copy speaks of the same state`(
        method: HTTPMethod, fields: HTTPFields, expected: Preconditions.Outcome
    ) {
        #expect(Preconditions.evaluate(method: method, fields: fields, etag: tag) == expected)
    }

    @Test(arguments: ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"])
    func `a condition about what the server does not know decides nothing or fails`(name: String) {
        let fields: HTTPFields = [name: name.hasSuffix("Match") ? "\"v2\"" : Self.same]

        let outcome = Preconditions.evaluate(method: .get, fields: fields, etag: nil)

        #expect(outcome == (name == "If-Match" ? .failed : .proceed))
    }

    @Test(
        arguments: [
            ("\"v2\"", true), ("W/\"v2\"", true), ("\"v1\", \"v2\"", true), ("\"v1\"", false), ("*", false),
            ("", false), ("\"v2", false),
        ])
    func `a list names a tag or not`(value: String, expected: Bool) {
        #expect(Preconditions.names(value, tag) == expected)
    }

    @Test(arguments: [("\"\"", "\"\""), ("W/\"a\"", "W/\"a\""), ("\"a b\"", nil), ("w/\"a\"", nil), ("\"a\" x", nil)])
    func `an entity tag is read strictly`(text: String, expected: String?) {
        #expect(EntityTag(parsing: text)?.description == expected)
    }
}
