import Foundation
import HTTP
import Testing

@testable import Web

struct GalleryYearTests {
    private let now = Date(timeIntervalSince1970: 1_795_390_200)

    @Test(arguments: [(2024, 366), (2026, 365), (1900, 365), (2000, 366), (1, 365), (9999, 365)])
    func `a year has as many days as the calendar says`(number: Int, days: Int) throws {
        let year = try #require(GalleryYear(number, in: "UTC", now: now))

        #expect(year.days == days && year.months.reduce(0, +) == days)
        #expect(year.date(ofDay: days) == (12, 31))
    }

    @Test func `months begin on the weekday they begin on`() throws {
        let year = try #require(GalleryYear(2026, in: "UTC", now: now))

        // 1 January 2026 was a Thursday, 1 November a Sunday.
        #expect(year.offsets[0] == 3 && year.offsets[10] == 6)
    }

    @Test(arguments: [("UTC", 326), ("Asia/Tokyo", 327), ("America/Los_Angeles", 326)])
    func `the days that have begun are counted by the owner's clock`(zone: String, begun: Int) throws {
        #expect(try #require(GalleryYear(2026, in: zone, now: now)).begun == begun)
    }

    @Test func `a date names a day of its year`() throws {
        let (year, day) = try #require(GalleryYear.day("2024-03-01", in: "UTC"))

        #expect(day == 61 && year.text(ofDay: day) == "2024-03-01")
    }

    @Test(arguments: ["2026-02-29", "2026-13-01", "2026-00-10", "0000-01-01", "2026-1-1", "x", "2026-04-31"])
    func `what is no date names none`(text: String) {
        #expect(GalleryYear.day(text, in: "UTC") == nil)
    }

    @Test(arguments: [0, 10_000, -5]) func `years that nobody can write are none`(number: Int) {
        #expect(GalleryYear(number, in: "UTC", now: now) == nil)
    }
}
