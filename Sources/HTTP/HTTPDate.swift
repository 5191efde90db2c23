package import FoundationEssentials
internal import System

/// A point in time to the second, as HTTP writes it (RFC 9110, section 5.6.7).
package struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Whole seconds since 1970-01-01 00:00:00 UTC, without leap seconds.
    package let secondsSince1970: Int64

    /// Takes whole seconds since 1970.
    package init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Cuts a date to the second below.
    package init(_ date: Date) {
        secondsSince1970 = Int64(date.timeIntervalSince1970.rounded(.down))
    }

    /// The present second.
    package static var now: HTTPDate { HTTPDate(Date()) }

    /// The same second for Foundation.
    package var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }

    package static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// The IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`; years from 0 to 9999.
    package var description: String {
        let time = CivilTime(secondsSince1970: secondsSince1970)
        // 1970-01-01 was a Thursday.
        let weekday = Self.weekdays[((time.date.daysSince1970 + 4) % 7 + 7) % 7]
        let clock = [time.hour, time.minute, time.second].map { padded($0, to: 2) }.joined(separator: ":")
        let (year, month) = (padded(time.date.year, to: 4), Self.months[time.date.month - 1])
        return "\(weekday), \(padded(time.date.day, to: 2)) \(month) \(year) \(clock) GMT"
    }

    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

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

/// Reads the pause a server asks for in `Retry-After`.
///
/// Source: RFC 9110, section 10.2.3. Both forms occur: whole seconds, or an HTTP-date.
///
/// - Parameters:
///   - value: The field value as received, without surrounding spaces.
///   - now: The time that an HTTP-date is compared with.
/// - Returns: From 0 s to 24 h. A date in the past means 0 s; more than 24 h is cut to 24 h.
/// - Throws: `HTTPFieldError` when `value` has neither form. Callers then use their own backoff.
package func retryAfter(_ value: String, now: Date) throws(HTTPFieldError) -> Duration {
    let longest: Int64 = 24 * 3600
    if !value.isEmpty, value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
        return .seconds(min(Int64(value) ?? longest, longest))
    }
    let now = HTTPDate(now)
    guard let date = HTTPDate(value, now: now) else { throw .malformed(field: "Retry-After") }
    return .seconds(min(max(date.secondsSince1970 - now.secondsSince1970, 0), longest))
}
