package import FoundationEssentials
package import System

/// Text with tokens that are filled in for each photo: `Day {day} of {days}: {caption}`.
package enum CaptionTemplate {
    /// `template` with its tokens replaced; a token that is not known stays as written, and so do tokens in `caption`.
    ///
    /// | token | becomes |
    /// |---|---|
    /// | `{caption}` | `caption` |
    /// | `{day}` | the day of the year, from 1 |
    /// | `{days}` | the days of that year, 365 or 366 |
    /// | `{date}` | the date, `2026-11-21` |
    /// | `{short_url}` | `shortURL` |
    ///
    /// `moment` is when the photo was taken, or else posted; the user's `timeZone` decides which day that is, in the
    /// Gregorian calendar.
    package static func render(
        _ template: String, caption: String, moment: Date, timeZone: Zone, shortURL: String
    ) -> String {
        let calendar = timeZone.calendar(at: moment)
        var result = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            let name = rest.dropFirst().prefix { $0 != "{" && $0 != "}" }
            guard name.endIndex < rest.endIndex, rest[name.endIndex] == "}",
                let value = value(of: name, caption: caption, moment: moment, calendar: calendar, shortURL: shortURL)
            else {
                result.append(rest.removeFirst())
                continue
            }
            result += value
            rest = rest[rest.index(after: name.endIndex)...]
        }
        return result + rest
    }

    private static func value(
        of token: Substring, caption: String, moment: Date, calendar: Calendar, shortURL: String
    ) -> String? {
        switch token {
        case "caption": caption
        case "day": calendar.ordinality(of: .day, in: .year, for: moment).map(String.init)
        case "days": calendar.range(of: .day, in: .year, for: moment).map { String($0.count) }
        case "date": date(of: moment, in: calendar)
        case "short_url": shortURL
        default: nil
        }
    }

    private static func date(of moment: Date, in calendar: Calendar) -> String? {
        let parts = calendar.dateComponents([.year, .month, .day], from: moment)
        guard let year = parts.year, let month = parts.month, let day = parts.day else { return nil }
        return [(year, 4), (month, 2), (day, 2)].map { number, width in
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }.joined(separator: "-")
    }
}
