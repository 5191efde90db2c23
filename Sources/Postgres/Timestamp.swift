internal import Foundation
internal import System

/// Points in time as PostgreSQL writes and sends them.
enum Timestamp {
    /// From 2000-01-01, where PostgreSQL counts from, to 2001-01-01, where Foundation does: 366 days.
    private static let offset: Int64 = 366 * 86_400 * 1_000_000

    /// Reads the binary form: microseconds since 2000; the ends of the range are `-infinity` and `infinity`.
    static func date(microseconds: Int64) -> Date {
        switch microseconds {
        case .max: .distantFuture
        case .min: .distantPast
        default:
            // Both are whole numbers that a Double holds exactly, so the quotient is the nearest Double.
            Date(timeIntervalSinceReferenceDate: (Double(microseconds) - Double(offset)) / 1_000_000)
        }
    }

    /// Writes `2026-11-21 19:30:00.000001+00`, whatever the session's DateStyle.
    static func text(_ date: Date) -> String {
        // The server refuses "NaN" with a clear error.
        guard !date.timeIntervalSinceReferenceDate.isNaN else { return "NaN" }
        guard date < .distantFuture else { return "infinity" }
        guard date > .distantPast else { return "-infinity" }
        let microseconds = Int64((date.timeIntervalSinceReferenceDate * 1_000_000).rounded())
        let seconds = microseconds.quotient(flooredBy: 1_000_000)
        // Foundation counts from 2001-01-01.
        let time = CivilTime(secondsSince1970: seconds + 978_307_200)
        let day = "\(padded(time.date.year, to: 4))-\(padded(time.date.month, to: 2))-\(padded(time.date.day, to: 2))"
        let clock = "\(padded(time.hour, to: 2)):\(padded(time.minute, to: 2)):\(padded(time.second, to: 2))"
        return "\(day) \(clock).\(padded(Int(microseconds - seconds * 1_000_000), to: 6))+00"
    }
}
