import Foundation
import Testing

@testable import HTTP

struct TimestampTests {
    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00.000Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
        (951_782_400.5, "2000-02-29T00:00:00.500Z"),
        (1_795_289_400.25, "2026-11-21T19:30:00.250Z"),
    ])
    func `a date is written in UTC with milliseconds and read back`(seconds: Double, text: String) {
        #expect(Timestamp(Date(timeIntervalSince1970: seconds)).description == text)
        #expect(Timestamp(text)?.description == text)
    }

    @Test(arguments: ["", "2026-11-21", "2026-11-21T19:30:00", "2026-13-21T19:30:00Z", "now", "2026-11-21T19:30:00Zx"])
    func `what is no timestamp is none`(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(arguments: [
        (540, "1970-01-01T09:00:00.000+09:00"), (-210, "1969-12-31T20:30:00.000-03:30"),
        (0, "1970-01-01T00:00:00.000+00:00"),
    ])
    func `a clock's offset is written and read back`(offset: Int, text: String) {
        #expect(Timestamp(Date(timeIntervalSince1970: 0), offset: offset).description == text)
        #expect(Timestamp.offset(of: text) == offset)
    }

    @Test(arguments: ["2026-11-21T19:30:00Z", "2026-11-21T19:30:00", "+9:00", "+09:60", ""])
    func `a text without an offset says nothing of a clock`(text: String) {
        #expect(Timestamp.offset(of: text) == nil)
    }

    @Test func `an offset is taken into account`() {
        #expect(Timestamp("2026-11-20T10:11:12+01:00")?.description == "2026-11-20T09:11:12.000Z")
    }
}
