package import Foundation
internal import System

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
        return String(unsafeUninitializedCapacity: CivilTime.lengthOfRFC3339) { text in
            CivilTime.writeRFC3339(millisecondsSince1970: milliseconds, to: text)
            return CivilTime.lengthOfRFC3339
        }
    }
}
