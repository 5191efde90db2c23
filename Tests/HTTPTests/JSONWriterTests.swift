import Foundation
import Testing

@testable import HTTP

struct JSONWriterTests {
    @Test func `what is written is what the same value gives`() throws {
        let awkward = "a \"quoted\" \\ <b>&\u{2028}\u{2029} é 👍 \u{1}\n\r\t"
        let written = JSONWriter.text { json in
            json.object { json in
                json.member("text", awkward)
                json.member("none", String?.none)
                json.member("number", 42)
                json.member("large", Int64.min)
                json.member("absent", Int?.none)
                json.member("yes", true)
                json.member("time", Date(timeIntervalSince1970: 0))
                json.member("never", Date?.none)
                json.member("value", ["a": [1, 2]] as JSONValue)
                json.object("object") { $0.member("inner", false) }
                json.object("empty") { _ in }
                json.array("list", ["x", "y"]) { json, item in json.object { $0.member("name", item) } }
                json.array("nothing", [String]()) { json, item in json.value(.string(item)) }
            }
        }
        let value: JSONValue = [
            "text": .string(awkward), "none": .null, "number": 42, "large": .int(.min), "absent": .null, "yes": true,
            "time": "1970-01-01T00:00:00.000Z", "never": .null, "value": ["a": [1, 2]], "object": ["inner": false],
            "empty": [:], "list": [["name": "x"], ["name": "y"]], "nothing": [],
        ]
        #expect(written == value.serialized)
        #expect(try JSONValue(parsing: written) == value)
    }
}
