internal import Foundation
internal import Store

/// The visits of the last days, drawn and as a table. Days are those of UTC, as they are counted.
struct VisitChart {
    static let length = 30

    private struct Day {
        let date: Date
        let count: VisitCount

        var all: Int64 { count.people + count.bots }
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

    private static let width = 720
    private static let height = 120

    var html: HTML {
        """
        <figure class="chart">
        <svg viewBox="0 0 \(Self.width) \(Self.height + 26)" role="img" aria-label="\(summary)">
        \(HTML.join(days.enumerated().map(bar)))\(HTML.join(labels))\
        <line class="axis" x1="0" y1="\(Self.height)" x2="\(Self.width)" y2="\(Self.height)"/>
        </svg>
        <figcaption><span class="key published"></span>\(language(.visitors)) <span class="key off"></span>\(language(.bots))</figcaption>
        </figure>
        <details><summary>\(language(.asTable))</summary>
        <div class="scroll"><table>
        <thead><tr><th scope="col">\(language(.dayOfVisits)) (UTC)</th><th scope="col">\(language(.visitors))</th>\
        <th scope="col">\(language(.bots))</th></tr></thead>
        <tbody>
        \(HTML.join(days.reversed().map(row)))</tbody>
        </table></div></details>

        """
    }

    private var summary: String {
        [(Phrase.visitors, \VisitCount.people), (.bots, \.bots)].map { phrase, part in
            "\(language(phrase)): \(language.number(Int(days.reduce(0) { $0 + $1.count[keyPath: part] })))"
        }.joined(separator: ", ")
    }

    private func bar(_ index: Int, _ day: Day) -> HTML {
        let most = max(days.map(\.all).max() ?? 0, 1)
        let step = Self.width / days.count
        var top = Self.height
        let parts: [HTML] = [("published", day.count.people), ("off", day.count.bots)].map { kind, count in
            guard count > 0 else { return .nothing }
            // A single visit is seen.
            let height = max(2, Int(Double(Self.height - 8) * Double(count) / Double(most)))
            top -= height
            return """
                <rect class="\(HTML.text(kind))" x="\(index * step + 2)" y="\(top)" width="\(step - 4)" height="\(height)"/>
                """
        }
        let title = "\(language.day(day.date, in: .gmt)): \(language.number(Int(day.all)))"
        return "<g><title>\(title)</title>\(HTML.join(parts))</g>\n"
    }

    private var labels: [HTML] {
        let step = Self.width / days.count
        return days.enumerated().filter { $0.offset.isMultiple(of: 10) }.map { index, day in
            "<text x=\"\(index * step + 2)\" y=\"\(Self.height + 20)\">\(language.day(day.date, in: .gmt))</text>\n"
        }
    }

    private func row(_ day: Day) -> HTML {
        """
        <tr><th scope="row">\(language.day(day.date, in: .gmt))</th><td class="number">\(day.count.people)</td>\
        <td class="number">\(day.count.bots)</td></tr>

        """
    }
}
