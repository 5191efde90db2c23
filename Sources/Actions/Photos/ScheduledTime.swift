package import FoundationEssentials
internal import HTTP
package import System

/// When a photo is to be published: a point in time, or a time on the owner's clock.
package struct ScheduledTime: Equatable {
    /// As the client wrote it.
    package let text: String
    private let point: Date?
    /// A time on the owner's clock, as the moment at which a clock of UTC shows it; nil for a text with an offset.
    private let local: Date?

    /// How far in the past a time may lie when it is asked for: clocks differ, and people are slow.
    package static let clockError: TimeInterval = 300
    /// Nobody plans further ahead.
    package static let furthest: TimeInterval = 366 * 86_400

    /// Reads RFC 3339 such as `2026-12-24T18:00:00+01:00`, or without the offset as the owner's clock will show it; in both
    /// forms the seconds may be missing.
    package init?(_ text: String) {
        self.text = text
        if let timestamp = Timestamp(text) ?? Timestamp(Self.withSeconds(text)) {
            (point, local) = (timestamp.date, nil)
            return
        }
        // Read as if it were in UTC, which refuses days that are none.
        let hasSeconds = text.utf8.count > 16
        guard text.utf8.count <= 19, let date = Timestamp(text + (hasSeconds ? "Z" : ":00Z"))?.date else { return nil }
        (point, local) = (nil, date)
    }

    /// `2026-12-24T18:00+01:00` with the seconds that RFC 3339 wants.
    private static func withSeconds(_ text: String) -> String {
        let place = text.index(text.startIndex, offsetBy: 16, limitedBy: text.endIndex) ?? text.endIndex
        return "\(text[..<place]):00\(text[place...])"
    }

    /// The point in time on a clock of `zone`. An hour that the clock skips is the one after it; of one that it shows twice
    /// it is the first.
    package func date(in zone: Zone) -> Date? {
        local.map { zone.date(whenShowing: $0) } ?? point
    }

    /// The point in time at which a photo goes out; nil: at once, also when its time came while the file was on its way.
    ///
    /// It was asked for at `asked`: a time before that is a mistake, but for what a phone's clock may be behind. Nil when that
    /// is long ago, as for an upload in parts.
    package func publicationDate(in zone: Zone, asked: Date?, now: Date) throws(InvalidField) -> Date? {
        guard let date = date(in: zone) else { return nil }
        if let asked, date < asked.addingTimeInterval(-Self.clockError) {
            throw .invalid("#/scheduled_at", "It is in the past.")
        }
        guard date > now else { return nil }
        guard date.timeIntervalSince(now) <= Self.furthest else {
            throw .invalid("#/scheduled_at", "It may be at most a year ahead.")
        }
        return date
    }
}
