package import Foundation
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
