import HTTP
import Testing

struct JSONTests {
    private func parse(_ text: String, depth: Int = 32) throws(JSONError) -> JSONValue {
        try JSONValue(parsing: Array(text.utf8), depth: depth)
    }

    @Test func `a document is read with subscripts`() throws {
        let value = try parse(#" {"media": {"id": 12, "ok": true, "sizes": [1, 2.5]}, "next": null} "#)

        #expect(value["media"]?["id"]?.int == 12)
        #expect(value["media"]?["ok"]?.bool == true)
        #expect(value["media"]?["sizes"]?[1]?.double == 2.5)
        #expect(value["media"]?["sizes"]?[2] == nil)
        #expect(value["next"]?.isNull == true)
        #expect(value["absent"] == nil)
        #expect(value["media"]?["id"]?.string == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("9223372036854775807", 9_223_372_036_854_775_807), ("1.0", 1.0), ("1e3", 1000.0),
            ("9223372036854775808", 9223372036854775808.0), ("-1.5E-2", -0.015),
            (#""\u00e9\ud83d\ude00\/\b\f\n\r\t""#, "é😀/\u{8}\u{C}\n\r\t"), ("\"é😀\"", "é😀"), ("[]", []), ("{}", [:]),
            ("[ [ ] , { } ]", [[], [:]]), (" true ", true),
        ] as [(String, JSONValue)])
    func `every kind of value is read`(text: String, expected: JSONValue) throws {
        #expect(try parse(text) == expected)
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("[1", .unexpectedEnd, 2), ("\"a", .unexpectedEnd, 2),
            ("tru", .unexpectedEnd, 3), ("trux", .unexpectedByte, 3), ("[1,]", .unexpectedByte, 3),
            ("{\"a\":1,}", .unexpectedByte, 7), ("{a:1}", .unexpectedByte, 1), ("'a'", .unexpectedByte, 0),
            ("1 2", .trailingBytes, 2), ("01", .trailingBytes, 1), ("-", .unexpectedEnd, 1), ("-a", .badNumber, 1),
            ("1.", .unexpectedEnd, 2), ("1.a", .badNumber, 2), ("1e+", .unexpectedEnd, 3), ("1e999", .badNumber, 0),
            ("+1", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0), ("\u{FEFF}1", .unexpectedByte, 0),
            ("\"\t\"", .controlCharacter, 1), (#""\x""#, .badEscape, 1), (#""\ud800""#, .badEscape, 1),
            (#""\ud800\u0041""#, .badEscape, 1), (#""\udc00""#, .badEscape, 1), (#""\u12g4""#, .badEscape, 5),
            (#"{"a":1,"a":2}"#, .duplicateName, 7), (#"{"a":1,"\u0061":2}"#, .duplicateName, 7),
        ] as [(String, JSONError.Reason, Int)])
    func `what JSON does not allow is refused with its place`(text: String, reason: JSONError.Reason, offset: Int) {
        let error = #expect(throws: JSONError.self) { try parse(text) }

        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
    }

    @Test func `nesting is bounded`() throws {
        let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)

        #expect(try parse(deep).array != nil)
        #expect(throws: JSONError.self) { try parse("[\(deep)]") }
        #expect(throws: JSONError.self) { try parse(String(repeating: "{\"a\":", count: 100_000)) }
        #expect(throws: JSONError.self) { try parse("[]", depth: 0) }
    }

    @Test(arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
    func `a string must be UTF-8`(bytes: [UInt8]) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }

        #expect(error?.reason == .notUTF8)
    }

    @Test func `the written text is dense, ordered and safe inside HTML`() {
        let value: JSONValue = [
            "b": "</script>&\u{2028}\u{2029}\u{2027}", "a": [1, -2, 1.5, true, .null], "\u{1}": "\"\\\n\u{1F}é",
            "n": .double(.nan),
        ]

        #expect(
            String(decoding: value.serialized, as: UTF8.self)
                == #"{"b":"\u003c/script\u003e\u0026\u2028\u2029"# + "\u{2027}"
                + #"","a":[1,-2,1.5,true,null],"\u0001":"\"\\\n\u001fé","n":null}"#)
    }

    @Test func `what is written is read back`() throws {
        let everyScalar = String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init)))
        let value: JSONValue = [
            "text": .string(everyScalar), "least": .int(.min), "tiny": .double(.leastNonzeroMagnitude),
            "great": .double(.greatestFiniteMagnitude), "list": [[], [:], ""],
        ]

        #expect(try JSONValue(parsing: value.serialized) == value)
    }

    @Test func `an absent value is null, and setting nil removes a member`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = nil
        object["c"] = JSONValue(nil as String?)
        object["b"] = JSONValue(3)

        #expect(JSONValue.object(object) == ["b": 3, "c": .null])
    }
}
