internal import Foundation
internal import Store

/// How the tries of the last 24 hours ended, drawn and as a table.
struct QueueChart {
    /// 24, oldest first.
    let hours: [Hour]
    let language: Language

    struct Hour {
        let begins: Date
        var published = 0
        var putOff = 0
        var failed = 0

        var all: Int { published + putOff + failed }
    }

    init(_ history: [QueueHour], _ language: Language, now: Date) {
        self.language = language
        let present = (now.timeIntervalSince1970 / 3600).rounded(.down) * 3600
        hours = (0..<24).map { index in
            let begins = Date(timeIntervalSince1970: present - Double(23 - index) * 3600)
            let found = history.first { abs($0.begins.timeIntervalSince(begins)) < 1 }
            var hour = Hour(begins: begins)
            for (outcome, count) in found?.outcomes ?? [:] {
                switch outcome {
                case "done", "edited", "deleted": hour.published += count
                case "rejected", "unauthorized", "unknown", "gone": hour.failed += count
                case "cancelled": break
                default: hour.putOff += count
                }
            }
            return hour
        }
    }

    private static let width = 720
    private static let height = 120

    var html: HTML {
        """
        <figure class="chart">
        <svg viewBox="0 0 \(Self.width) \(Self.height + 26)" role="img" aria-label="\(summary)">
        \(HTML.join(hours.enumerated().map(bar)))\(HTML.join(labels))\
        <line class="axis" x1="0" y1="\(Self.height)" x2="\(Self.width)" y2="\(Self.height)"/>
        </svg>
        <figcaption><span class="key published"></span>\(language(.published)) <span class="key off"></span>\(language(.triedAgain)) \
        <span class="key failed"></span>\(language(.failed))</figcaption>
        </figure>
        <details><summary>\(language(.asTable))</summary>
        <div class="scroll"><table>
        <thead><tr><th scope="col">\(language(.hour)) (UTC)</th><th scope="col">\(language(.published))</th>\
        <th scope="col">\(language(.triedAgain))</th><th scope="col">\(language(.failed))</th></tr></thead>
        <tbody>
        \(HTML.join(hours.reversed().map(row)))</tbody>
        </table></div></details>

        """
    }

    private var summary: String {
        let sums = [
            (Phrase.published, hours.map(\.published)), (.triedAgain, hours.map(\.putOff)),
            (.failed, hours.map(\.failed)),
        ]
        return sums.map { "\(language($0)): \(language.number($1.reduce(0, +)))" }.joined(separator: ", ")
    }

    private func bar(_ index: Int, _ hour: Hour) -> HTML {
        let most = max(hours.map(\.all).max() ?? 0, 1)
        let step = Self.width / hours.count
        var top = Double(Self.height)
        let parts: [HTML] = [("published", hour.published), ("off", hour.putOff), ("failed", hour.failed)].map {
            kind, count in
            guard count > 0 else { return .nothing }
            // What happened at all is seen.
            let height = max(2, Double(Self.height - 8) * Double(count) / Double(most))
            top -= height
            return """
                <rect class="\(kind)" x="\(index * step + 3)" y="\(Self.decimal(top))" width="\(step - 6)" height="\(Self.decimal(height))"/>
                """
        }
        let title = "\(language.clock(hour.begins, in: .gmt)) UTC: \(language.number(hour.all))"
        return "<g><title>\(title)</title>\(HTML.join(parts))</g>\n"
    }

    private var labels: [HTML] {
        let step = Self.width / hours.count
        return hours.enumerated().filter { $0.offset.isMultiple(of: 6) }.map { index, hour in
            "<text x=\"\(index * step + 3)\" y=\"\(Self.height + 20)\">\(language.clock(hour.begins, in: .gmt))</text>\n"
        }
    }

    private func row(_ hour: Hour) -> HTML {
        """
        <tr><th scope="row">\(language.clock(hour.begins, in: .gmt))</th><td class="number">\(hour.published)</td>\
        <td class="number">\(hour.putOff)</td><td class="number">\(hour.failed)</td></tr>

        """
    }

    /// With one decimal place.
    private static func decimal(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
