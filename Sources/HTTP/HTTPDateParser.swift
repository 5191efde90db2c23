internal import System

extension HTTPDate {
    /// Parses the three forms that a recipient must accept: IMF-fixdate, RFC 850 and asctime.
    ///
    /// - Parameters:
    ///   - text: The field value without surrounding spaces.
    ///   - now: Decides the century of a two-digit year: more than 50 years ahead means the past.
    package init?(_ text: String, now: @autoclosure () -> HTTPDate = .now) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        let date: CivilDate?
        let clock: Substring
        switch words.count {
        case 6
        where words[5] == "GMT" && words[0].hasSuffix(",") && Self.weekdays.contains(String(words[0].dropLast())):
            // Sun, 06 Nov 1994 08:49:37 GMT
            date = Self.civil(year: Self.number(words[3], digits: 4), month: words[2], day: words[1])
            clock = words[4]
        case 4 where words[3] == "GMT" && words[0].hasSuffix("day,"):
            // Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, let short = Self.number(parts[2], digits: 2) else { return nil }
            let thisYear = CivilDate(daysSince1970: Int(now().secondsSince1970 / 86400)).year
            let sameCentury = thisYear / 100 * 100 + short
            let year = sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury
            date = Self.civil(year: year, month: parts[1], day: parts[0])
            clock = words[2]
        case 5 where Self.weekdays.contains(String(words[0])):
            // Sun Nov  6 08:49:37 1994
            let day = words[2].count == 1 ? "0" + words[2] : words[2]
            date = Self.civil(year: Self.number(words[4], digits: 4), month: words[1], day: day)
            clock = words[3]
        default:
            return nil
        }
        guard let date, let second = Self.secondOfDay(clock) else { return nil }
        self.init(secondsSince1970: Int64(date.daysSince1970) * 86400 + Int64(second))
    }

    private static func civil(year: Int?, month: Substring, day: Substring) -> CivilDate? {
        guard let year, let month = months.firstIndex(of: String(month)), let day = number(day, digits: 2) else {
            return nil
        }
        return CivilDate(year: year, month: month + 1, day: day)
    }

    /// `08:49:37`, or `23:59:60` for a leap second.
    private static func secondOfDay(_ clock: Substring) -> Int? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return Int(text)
    }
}
