internal import Foundation

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
        let (day, rest) = floorDivide(microseconds, 86_400_000_000)
        let (second, fraction) = floorDivide(rest, 1_000_000)
        let (year, month, dayOfMonth) = civil(daysSince2001: Int(day))
        return """
            \(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2)) \
            \(padded(Int(second) / 3600, 2)):\(padded(Int(second) / 60 % 60, 2)):\(padded(Int(second) % 60, 2))\
            .\(padded(Int(fraction), 6))+00
            """
    }

    /// The proleptic Gregorian date, by counting from 1 March of year 0 in eras of 400 years (146,097 days):
    /// a leap day is then the last day of its year.
    private static func civil(daysSince2001: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince2001 + 730_791
        let (era, dayOfEra) = floorDivide(days, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func floorDivide<Number: BinaryInteger>(_ number: Number, _ divisor: Number) -> (Number, Number) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
