internal import FoundationEssentials
internal import System

/// Dates, times and numbers as people write them.
extension Language {
    private static let englishMonths = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// A day: `20 November 2026`, `2026年11月20日`.
    func day(_ date: Date, in zone: Zone) -> String {
        let parts = Self.parts(date, in: zone)
        let (year, month, day) = (parts.year ?? 0, parts.month ?? 1, parts.day ?? 1)
        return switch self {
        case .english: "\(day) \(Self.englishMonths[month - 1]) \(year)"
        case .japanese: "\(year)年\(month)月\(day)日"
        }
    }

    /// A time of a day: `09:11`.
    func clock(_ date: Date, in zone: Zone) -> String {
        let parts = Self.parts(date, in: zone)
        return "\(Self.twoDigits(parts.hour ?? 0)):\(Self.twoDigits(parts.minute ?? 0))"
    }

    /// A moment to the minute: `20 November 2026, 09:11`, `2026年11月20日 09:11`.
    func moment(_ date: Date, in zone: Zone) -> String {
        let separator = self == .english ? ", " : " "
        return day(date, in: zone) + separator + clock(date, in: zone)
    }

    /// The difference to UTC that a zone has at a moment: `UTC`, `UTC+9`, `UTC−3:30`.
    func offset(_ date: Date, of zone: Zone) -> String {
        let minutes = zone.secondsFromUTC(at: date) / 60
        guard minutes != 0 else { return "UTC" }
        let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
        return "UTC\(minutes < 0 ? "\u{2212}" : "+")\(hours)\(rest == 0 ? "" : ":\(Self.twoDigits(rest))")"
    }

    /// A whole number with its thousands apart: `12,345`.
    func number(_ number: Int) -> String {
        let digits = String(number.magnitude)
        guard digits.utf8.count > 3 else { return String(number) }
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    private static func parts(_ date: Date, in zone: Zone) -> DateComponents {
        zone.calendar(at: date).dateComponents([.year, .month, .day, .hour, .minute], from: date)
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
