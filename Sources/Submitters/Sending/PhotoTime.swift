internal import Domain
internal import FoundationEssentials
internal import System

extension OutgoingPhoto {
    /// When it was taken, else when Pics got it, as names of files have it: `2026-11-21_194200`. By the camera's clock where that is
    /// known, else in UTC.
    ///
    /// A camera may claim any year: outside the years 0001 to 9999 its time is left out.
    var nameOfTime: String {
        takenAt.flatMap { Self.name(of: $0, offset: takenOffset ?? 0) } ?? Self.name(of: createdAt, offset: 0)
            ?? "0000-00-00_000000"
    }

    private static func name(of date: Date, offset: Int) -> String? {
        guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
        let time = CivilTime(secondsSince1970: seconds + Int64(offset) * 60)
        guard (1...9999).contains(time.date.year) else { return nil }
        let day = "\(padded(time.date.year, to: 4))-\(padded(time.date.month, to: 2))-\(padded(time.date.day, to: 2))"
        return "\(day)_\(padded(time.hour, to: 2))\(padded(time.minute, to: 2))\(padded(time.second, to: 2))"
    }
}
