package import FoundationEssentials
internal import System

/// A point in time as JSON bodies carry it: RFC 3339 in UTC with milliseconds, such as `2026-11-21T19:30:00.250Z`; by a clock whose
/// offset is known `2026-11-21T20:30:00.250+01:00`.
package struct Timestamp: Hashable, Sendable, CustomStringConvertible {
    package let date: Date
    /// The difference to UTC that it is written with, in minutes; nil writes `Z`.
    package var offset: Int?

    /// The timestamp of a date; what is finer than a millisecond is not shown.
    package init(_ date: Date, offset: Int? = nil) { (self.date, self.offset) = (date, offset) }

    /// Reads RFC 3339, section 5.6, with any offset and up to nine digits of fraction, as a point in time in UTC. Nil for anything else.
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
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded()) + Int64(offset ?? 0) * 60_000
        let text = String(unsafeUninitializedCapacity: CivilTime.lengthOfRFC3339) { text in
            CivilTime.writeRFC3339(millisecondsSince1970: milliseconds, to: text)
            return CivilTime.lengthOfRFC3339
        }
        guard let offset else { return text }
        // `+00:00`: the clock shows UTC; `Z` says nothing of a clock (RFC 9557, section 2).
        let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
        return "\(text.dropLast())\(offset < 0 ? "-" : "+")\(padded(hours, to: 2)):\(padded(minutes, to: 2))"
    }

    /// The offset that ends a text in RFC 3339, in minutes; nil when there is none, or `Z`, which says nothing of a clock.
    package static func offset(of text: some StringProtocol) -> Int? {
        guard let match = String(text.suffix(6)).wholeMatch(of: /([+-])(\d\d):(\d\d)/)?.output,
            let hours = Int(match.2), let minutes = Int(match.3), minutes < 60
        else { return nil }
        return (match.1 == "-" ? -1 : 1) * (hours * 60 + minutes)
    }
}
