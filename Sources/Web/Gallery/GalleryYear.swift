internal import FoundationEssentials
internal import System

/// The days of a year in somebody's time zone, in the Gregorian calendar.
struct GalleryYear {
    let year: Int
    /// 365 or 366.
    let days: Int
    /// How many of them have begun.
    let begun: Int
    /// Those of each month.
    let months: [Int]
    /// How many days after a Monday each month begins.
    let offsets: [Int]

    /// Nil beyond the years 1 to 9999.
    init?(_ year: Int, in zone: String, now: Date = Date()) {
        guard (1...9999).contains(year) else { return nil }
        self.year = year
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        months = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        days = months.reduce(0, +)
        // Days from Monday, 1 January of the year 1, proleptic.
        let before = year - 1
        var weekday = (before * 365 + before / 4 - before / 100 + before / 400) % 7
        var offsets: [Int] = []
        for month in months {
            offsets.append(weekday)
            weekday = (weekday + month) % 7
        }
        self.offsets = offsets
        let calendar = Self.calendar(zone, at: now)
        let present = calendar.component(.year, from: now)
        begun = year < present ? days : year > present ? 0 : calendar.ordinality(of: .day, in: .year, for: now) ?? 0
    }

    /// The year in which somebody lives now.
    static func present(in zone: String) -> Int {
        let now = Date()
        return calendar(zone, at: now).component(.year, from: now)
    }

    /// Month and day of a day of the year, all from 1.
    func date(ofDay day: Int) -> (month: Int, day: Int) {
        var rest = day
        for (index, length) in months.enumerated() {
            if rest <= length { return (index + 1, rest) }
            rest -= length
        }
        return (12, 31)
    }

    /// A date such as `2026-12-31`.
    func text(ofDay day: Int) -> String {
        let date = date(ofDay: day)
        return [(year, 4), (date.month, 2), (date.day, 2)].map { number, width in
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }.joined(separator: "-")
    }

    /// The day of the year that a date such as `2026-12-31` names; nil when there is none.
    static func day(_ text: String, in zone: String) -> (year: GalleryYear, day: Int)? {
        guard let parts = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)/)?.output, let number = Int(parts.1),
            let month = Int(parts.2), let day = Int(parts.3), (1...12).contains(month),
            let year = GalleryYear(number, in: zone), (1...year.months[month - 1]).contains(day)
        else { return nil }
        return (year, year.months[..<(month - 1)].reduce(0, +) + day)
    }

    private static func calendar(_ zone: String, at moment: Date) -> Calendar {
        Zone(orUTC: zone).calendar(at: moment)
    }
}
