import Foundation
import System
import Testing

@testable import Actions

struct CameraTimeTests {
    @Test(
        arguments: [
            ("2026-07-01T12:00:00", "2026-07-01T10:00:00Z", nil),
            ("2026-01-01T12:00:00.25", "2026-01-01T11:00:00Z", nil),
            ("2026-07-01T12:00:00+09:00", "2026-07-01T03:00:00Z", 540),
            ("2026-07-01T12:00:00Z", "2026-07-01T12:00:00Z", nil),
        ] as [(String, String, Int?)])
    func `a time without an offset is one in the owner's zone`(text: String, moment: String, offset: Int?) throws {
        let berlin = try #require(Zone(named: "Europe/Berlin"))
        let time = try #require(CameraTime(text, in: berlin))
        #expect(time.date.ISO8601Format() == moment && time.offset == offset)
    }

    @Test(arguments: ["2026-01-02T03:04:05.5e400", "2026-01-02T03:04:05.-1", "2026-01-02T03:04:05.0x1", "a.5", ""])
    func `what is no time is none`(text: String) { #expect(CameraTime(text, in: .utc) == nil) }
}
