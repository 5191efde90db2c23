/// A day of the proleptic Gregorian calendar.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (days_from_civil, civil_from_days).
package struct CivilDate: Equatable, Sendable {
    /// May be negative.
    package let year: Int
    /// From 1 to 12.
    package let month: Int
    /// From 1 to the length of the month.
    package let day: Int

    /// Nil if the month has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard 1...12 ~= month else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...lengths[month - 1] ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Counts from 1970-01-01, which is day 0.
    package init(daysSince1970: Int) {
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

    /// The days from 1970-01-01.
    package var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.quotient(flooredBy: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// A moment in UTC as calendars and clocks show it, to the second.
package struct CivilTime: Equatable, Sendable {
    package let date: CivilDate
    /// From 0 to 23.
    package let hour: Int
    /// From 0 to 59.
    package let minute: Int
    /// From 0 to 59: leap seconds are not counted.
    package let second: Int

    /// Counts from 1970-01-01 00:00:00 UTC, without leap seconds.
    package init(secondsSince1970: Int64) {
        let days = secondsSince1970.quotient(flooredBy: 86_400)
        let rest = Int(secondsSince1970 - days * 86_400)
        date = CivilDate(daysSince1970: Int(days))
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    }

    /// The length of `writeRFC3339`.
    package static let lengthOfRFC3339 = 24

    /// Writes a moment in UTC with milliseconds, such as `2026-11-21T19:30:00.250Z` (RFC 3339, section 5.6).
    ///
    /// - Parameters:
    ///   - milliseconds: Since 1970-01-01 00:00:00 UTC. A year outside 0 to 9999 has no form and is shown as the nearest.
    ///   - text: Room for `lengthOfRFC3339` bytes.
    package static func writeRFC3339(
        millisecondsSince1970 milliseconds: Int64, to text: UnsafeMutableBufferPointer<UInt8>
    ) {
        let seconds = milliseconds.quotient(flooredBy: 1000)
        let time = CivilTime(secondsSince1970: seconds)
        var end = 0
        func write(_ number: Int, _ width: Int, _ mark: Unicode.Scalar) {
            var rest = number
            for place in stride(from: end + width - 1, through: end, by: -1) {
                text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            text[end + width] = UInt8(ascii: mark)
            end += width + 1
        }
        write(min(max(time.date.year, 0), 9999), 4, "-")
        write(time.date.month, 2, "-")
        write(time.date.day, 2, "T")
        write(time.hour, 2, ":")
        write(time.minute, 2, ":")
        write(time.second, 2, ".")
        write(Int(milliseconds - seconds * 1000), 3, "Z")
    }
}

extension BinaryInteger {
    /// The quotient, rounded towards minus infinity.
    @inlinable package func quotient(flooredBy divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// `number`, which is not negative, in decimal digits with zeros in front, at least `width` of them.
package func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
