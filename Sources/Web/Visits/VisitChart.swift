internal import FoundationEssentials
internal import Store
internal import System

/// The visits of the last days, drawn and as a table. Days are those of UTC, as they are counted.
struct VisitChart {
    static let length = 30

    private struct Day {
        let date: Date
        let count: VisitCount
    }

    /// `length`, oldest first.
    private let days: [Day]
    private let language: Language

    /// Takes the newest days that have any.
    init(_ visits: [VisitDay], _ language: Language, now: Date) {
        self.language = language
        let today = (now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
        let counts = Dictionary(visits.map { ($0.day, $0.count) }, uniquingKeysWith: { first, _ in first })
        days = (0..<Self.length).map { index in
            let date = Date(timeIntervalSince1970: today - Double(Self.length - 1 - index) * 86_400)
            return Day(date: date, count: counts[Self.name(date)] ?? VisitCount())
        }
    }

    private static func name(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }

    var html: HTML {
        let bars = days.map { day in
            let name = language.day(day.date, in: .utc)
            return StackedBars.Bar(name: name, title: name, counts: [Int(day.count.people), Int(day.count.bots)])
        }
        return StackedBars(
            language: language, unit: .dayOfVisits, parts: [(.visitors, "published"), (.bots, "off")], bars: bars,
            labelled: 10
        ).html
    }
}
