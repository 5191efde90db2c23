package import Foundation

/// A point in time as JSON bodies carry it: RFC 3339 in UTC with milliseconds, such as `2026-11-21T19:30:00.250Z`.
package struct Timestamp: Hashable, Sendable, CustomStringConvertible {
    package let date: Date

    /// The timestamp of a date; what is finer than a millisecond is not shown.
    package init(_ date: Date) { self.date = date }

    /// Reads RFC 3339, section 5.6, with any offset and up to nine digits of fraction. Nil for anything else.
    package init?(_ text: String) {
        let pattern = /(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:[Zz]|([+-])(\d\d):(\d\d))/
        guard text.utf8.count <= 40, let match = text.wholeMatch(of: pattern)?.output,
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), let hour = Int(match.4),
            let minute = Int(match.5), let second = Int(match.6), hour < 24, minute < 60, second <= 60,
            let civil = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let sign = match.8 == "-" ? -60 : 60
        let offset = (match.9.flatMap { Int($0) } ?? 0) * 60 + (match.10.flatMap { Int($0) } ?? 0)
        let seconds = civil.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - sign * offset
        date = Date(timeIntervalSince1970: Double(seconds) + (match.7.flatMap { Double("0\($0)") } ?? 0))
    }

    package var description: String {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
        let days = milliseconds.quotient(flooredBy: 86_400_000)
        let time = Int(milliseconds - days * 86_400_000)
        let civil = CivilDate(daysSince1970: Int(days))
        // Years beyond four digits have no form in RFC 3339.
        let year = min(max(civil.year, 0), 9999)
        return String(unsafeUninitializedCapacity: 24) { text in
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
            write(year, 4, "-")
            write(civil.month, 2, "-")
            write(civil.day, 2, "T")
            write(time / 3_600_000, 2, ":")
            write(time / 60_000 % 60, 2, ":")
            write(time / 1000 % 60, 2, ".")
            write(time % 1000, 3, "Z")
            return end
        }
    }
}
