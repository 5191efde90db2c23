package import Foundation

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
        let days = secondsSince1970.quotient(flooredBy: 86400)
        let second = Int(secondsSince1970 - days * 86400)
        let civil = CivilDate(daysSince1970: Int(days))
        let weekday = Self.weekdays[Int((days + 4) - (days + 4).quotient(flooredBy: 7) * 7)]
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, to: 2) }.joined(separator: ":")
        let day = "\(padded(civil.day, to: 2)) \(Self.months[civil.month - 1]) \(padded(civil.year, to: 4))"
        return "\(weekday), \(day) \(clock) GMT"
    }

    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// A day of the proleptic Gregorian calendar.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (days_from_civil, civil_from_days).
struct CivilDate: Equatable {
    let year: Int
    let month: Int
    let day: Int

    /// Nil if the month has no such day.
    init?(year: Int, month: Int, day: Int) {
        guard 1...12 ~= month else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...lengths[month - 1] ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    init(daysSince1970: Int) {
        let days = daysSince1970 + 719_468
        let era = days.quotient(flooredBy: 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.quotient(flooredBy: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension BinaryInteger {
    func quotient(flooredBy divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
