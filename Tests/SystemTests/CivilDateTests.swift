import Foundation
import System
import Testing

struct CivilDateTests {
    @Test func `days agree with Foundation's calendar in both directions`() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        // From 1583, when the Gregorian calendar is in use, to 2800, with all kinds of leap years.
        for days in stride(from: -141_000, through: 303_000, by: 97) {
            let civil = CivilDate(daysSince1970: days)
            let date = Date(timeIntervalSince1970: Double(days) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)

            #expect([parts.year, parts.month, parts.day] == [civil.year, civil.month, civil.day])
            #expect(civil.daysSince1970 == days)
        }
    }

    @Test(arguments: [(2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0)])
    func `a day that no month has is no date`(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_868_799_999, "2000-02-29T23:59:59.999Z"),
        (1_795_462_521_042, "2026-11-23T19:35:21.042Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ])
    func `a moment is written as RFC 3339 has it`(milliseconds: Int64, text: String) {
        let written = String(unsafeUninitializedCapacity: CivilTime.lengthOfRFC3339) { buffer in
            CivilTime.writeRFC3339(millisecondsSince1970: milliseconds, to: buffer)
            return CivilTime.lengthOfRFC3339
        }

        #expect(written == text)
    }
}
