package import FoundationEssentials
internal import Glibc

/// A time zone: a named one of the machine's table (tzdata), or a fixed difference to UTC.
///
/// Foundation's own table is that of ICU, which is larger than all the rest of Pics. `timeZone(at:)` leads to its calendars.
package struct Zone: Sendable, Equatable {
    /// `Europe/Berlin`; of a fixed difference `UTC` or as in `UTC+05:30`.
    package let name: String
    private let rules: Rules

    private enum Rules: Sendable {
        case fixed(seconds: Int)
        case table(ZoneTable)
    }

    /// Coordinated universal time.
    package static let utc = Zone(secondsFromUTC: 0)

    /// A fixed difference to UTC, positive in the east.
    package init(secondsFromUTC seconds: Int) {
        let minutes = abs(seconds) / 60
        let sign = seconds < 0 ? "-" : "+"
        name = seconds == 0 ? "UTC" : "UTC\(sign)\(padded(minutes / 60, to: 2)):\(padded(minutes % 60, to: 2))"
        rules = .fixed(seconds: seconds)
    }

    /// The zone that the machine's table has under this name; nil when there is none.
    package init?(named name: String) {
        if ["UTC", "GMT"].contains(name) {
            (self.name, rules) = (name, .fixed(seconds: 0))
            return
        }
        guard let table = ZoneTable.named(name) else { return nil }
        (self.name, rules) = (name, .table(table))
    }

    /// The zone that a row or a setting names; UTC where the machine's table does not know it.
    package init(orUTC name: String) { self = Zone(named: name) ?? .utc }

    /// The zone of this machine: by the variable `TZ`, else by `/etc/localtime`; UTC when they say nothing that the table knows.
    package static var own: Zone {
        let variable = getenv("TZ").map { String(cString: $0) }.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
        if let variable, !variable.hasPrefix("/") { return Zone(orUTC: variable) }
        guard let path = realpath(variable ?? "/etc/localtime", nil) else { return .utc }
        defer { free(path) }
        let file = String(cString: path)
        guard file.hasPrefix(ZoneTable.folder) else { return .utc }
        return Zone(orUTC: String(file.dropFirst(ZoneTable.folder.count)))
    }

    /// Names that places had, and that browsers still tell.
    private static let oldNames = [
        "Africa/Asmera", "America/Buenos_Aires", "America/Catamarca", "America/Cordoba", "America/Coral_Harbour",
        "America/Godthab",
        "America/Indianapolis", "America/Jujuy", "America/Louisville", "America/Mendoza", "Asia/Calcutta",
        "Asia/Katmandu",
        "Asia/Rangoon", "Asia/Saigon", "Atlantic/Faeroe", "Europe/Kiev", "Pacific/Enderbury", "Pacific/Ponape",
        "Pacific/Truk",
    ]

    /// The names that people choose from, sorted: one for each place, old ones that the table knows, and `UTC`.
    package static let names: [String] = {
        let file = OpenFile(reading: ZoneTable.folder + "zone.tab")
        let lines = String(decoding: file?.read(at: 0, atMost: 1 << 20) ?? [], as: UTF8.self).split(separator: "\n")
        let places = lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: "\t").dropFirst(2).first }
        return (places.map(String.init) + oldNames.filter { Zone(named: $0) != nil } + ["UTC"]).sorted()
    }()

    /// The difference to UTC at a moment, in seconds, positive in the east.
    package func secondsFromUTC(at date: Date) -> Int {
        switch rules {
        case .fixed(let seconds): seconds
        case .table(let table):
            // Some 30,000 years from now and before, which is beyond all calendars; 0 for what is no number.
            table.offset(at: Int64(exactly: min(max(date.timeIntervalSince1970.rounded(.down), -1e12), 1e12)) ?? 0)
        }
    }

    /// For calendars and formats of this one moment: they have no table of their own.
    package func timeZone(at date: Date) -> TimeZone { TimeZone(secondsFromGMT: secondsFromUTC(at: date)) ?? .gmt }

    /// The Gregorian calendar for what a clock here shows at this one moment.
    package func calendar(at date: Date) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone(at: date)
        return calendar
    }

    /// The moment at which a clock here shows what a clock of UTC shows at `clock`. Of an hour that it shows twice it is the first; an hour
    /// that it skips is the one after it.
    package func date(whenShowing clock: Date) -> Date {
        let before = Double(secondsFromUTC(at: clock - 86_400))
        let after = Double(secondsFromUTC(at: clock + 86_400))
        let candidates = [before, after].map { clock - $0 }
        let shown = candidates.filter { $0 + Double(secondsFromUTC(at: $0)) == clock }
        return shown.min() ?? candidates[0]
    }

    /// The beginning of the day after the one that `date` is on.
    package func midnight(after date: Date) -> Date {
        let shown = date.timeIntervalSince1970 + Double(secondsFromUTC(at: date))
        return self.date(whenShowing: Date(timeIntervalSince1970: ((shown / 86_400).rounded(.down) + 1) * 86_400))
    }

    /// A moment on a clock here with its difference to UTC, as in `2026-07-01T12:00:00+02:00`, or `Z` without one (RFC 3339).
    package func timestamp(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: timeZone(at: date)))
    }

    package static func == (one: Zone, other: Zone) -> Bool { one.name == other.name }
}
