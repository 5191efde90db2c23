import Foundation
import Testing

@testable import System

struct ZoneTests {
    /// Two of each month from 1971 to 2037, and the last seconds before and the first of each year.
    private static let moments: [Date] = (1971...2037).flatMap { (year: Int) -> [Date] in
        let newYear = Double(CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? 0) * 86_400
        let days = (0..<24).map { newYear + Double($0) * 15 * 86_400 + 3 * 3600 }
        return (days + [newYear - 1, newYear]).map { Date(timeIntervalSince1970: $0) }
    }

    @Test func `zones tell the time that the international table tells, but where the machine's is newer`() throws {
        var differing: [String: Int] = [:]
        for name in TimeZone.knownTimeZoneIdentifiers {
            let (zone, other) = (try #require(Zone(named: name), "\(name)"), try #require(TimeZone(identifier: name)))
            let count = Self.moments.count { zone.secondsFromUTC(at: $0) != other.secondsFromGMT(for: $0) }
            if count > 0 { differing[name] = count }
        }
        // Changes of 2024 and 2025: Kazakhstan, Paraguay, the Philippines' past.
        #expect(differing.count <= 12, "\(differing)")
    }

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/St_Johns", "Asia/Tokyo", "UTC",
    ])
    func `a time on the owner's clock is the moment that Foundation finds`(name: String) throws {
        let (zone, other) = (try #require(Zone(named: name)), try #require(TimeZone(identifier: name)))
        var (calendar, universal) = (Calendar(identifier: .gregorian), Calendar(identifier: .gregorian))
        (calendar.timeZone, universal.timeZone) = (other, .gmt)
        // Every ten minutes of 2026: all hours that are skipped or shown twice are among them.
        for step in 0..<(365 * 144) {
            let clock = Date(timeIntervalSince1970: 1_767_225_600 + Double(step) * 600)
            let parts = universal.dateComponents([.year, .month, .day, .hour, .minute, .second], from: clock)
            let expected = try #require(calendar.date(from: parts))
            if zone.date(whenShowing: clock) != expected {
                Issue.record("\(name) \(clock): \(zone.date(whenShowing: clock)) is not \(expected)")
                return
            }
        }
    }

    @Test func `the next midnight is that of the zone, also on days of 23 and 25 hours`() throws {
        let zone = try #require(Zone(named: "America/Los_Angeles"))
        for (moment, expected) in [
            ("2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z"), ("2026-11-01T07:00:00Z", "2026-11-02T08:00:00Z"),
            ("2026-07-01T06:59:59Z", "2026-07-01T07:00:00Z"), ("2026-07-01T07:00:00Z", "2026-07-02T07:00:00Z"),
        ] {
            let date = try Date(moment, strategy: .iso8601)
            #expect(zone.midnight(after: date).ISO8601Format() == expected)
        }
    }

    @Test(arguments: [
        "", "Mars/Olympus", "/etc/passwd", "../zoneinfo/UTC", "Europe/../Europe/Berlin", "posix/UTC", "right/UTC",
        "Europe/",
        "Europe", "zone.tab", "tzdata.zi", "europe/berlin", "Europe/Berlin\0", String(repeating: "A", count: 65),
    ])
    func `what the table does not name is no zone`(name: String) {
        #expect(Zone(named: name) == nil)
    }

    @Test func `people choose from places, and old names of browsers are known too`() {
        #expect(Zone.names.count > 400 && Zone.names == Zone.names.sorted() && Zone.names.contains("UTC"))
        for name in Zone.names + ["Asia/Calcutta", "Europe/Kiev", "Etc/UTC", "Etc/GMT+9", "GMT", "US/Pacific"] {
            #expect(Zone(named: name)?.name == name)
        }
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-07-01T00:00:00Z", 7200),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-12-01T00:00:00Z", 3600),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2050-01-01T00:00:00Z", 39_600),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-07-01T00:00:00Z", -3600), ("JST-9", "2050-01-01T00:00:00Z", 32_400),
        ("AAA3BBB,J60/0,J300", "2024-02-29T12:00:00Z", -10_800), ("AAA3BBB,59/0,300", "2024-02-29T12:00:00Z", -7200),
    ])
    func `rules of the far future are followed`(rule: String, moment: String, expected: Int) throws {
        let rule = try #require(ZoneRule(rule[...]))
        #expect(rule.offset(at: Int64(try Date(moment, strategy: .iso8601).timeIntervalSince1970)) == expected)
    }

    @Test(arguments: [
        "", "X", "CET", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-999",
        "<+1-1", "CET--1",
        "CET-1CEST,J0,J1", "CET-1CEST,366,1", "CET-1:60",
    ])
    func `what is no rule is none`(text: String) { #expect(ZoneRule(text[...]) == nil) }

    @Test func `a damaged file is no table, whatever is cut or changed`() throws {
        let whole = try [UInt8](Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))
        #expect(ZoneTable(whole) != nil)
        var generator = SystemRandomNumberGenerator()
        for length in 0..<min(whole.count - 40, 400) { #expect(ZoneTable(Array(whole.prefix(length))) == nil) }
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = ZoneTable(bytes)?.offset(at: .random(in: -1 << 40...1 << 40, using: &generator))
        }
    }

    @Test func `moments beyond all calendars have a difference too`() throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        for seconds in [1e30, -1e30, .infinity, -.infinity, .nan, 9e18, 1e14] as [Double] {
            #expect(abs(zone.secondsFromUTC(at: Date(timeIntervalSince1970: seconds))) <= 7200)
        }
    }

    @Test func `a fixed difference is named`() {
        #expect(Zone(secondsFromUTC: 19_800).name == "UTC+05:30" && Zone(secondsFromUTC: -12_600).name == "UTC-03:30")
        #expect(Zone.utc.name == "UTC" && Zone(secondsFromUTC: 19_800).secondsFromUTC(at: Date()) == 19_800)
    }
}
