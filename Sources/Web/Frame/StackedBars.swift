/// Counts over a stretch of time, drawn as bars of parts that stand on each other, and as a table.
struct StackedBars {
    let language: Language
    /// The unit of a bar, such as hours.
    let unit: Phrase
    /// From the bottom up; `style` is a class of the stylesheet that has a colour.
    let parts: [(name: Phrase, style: HTML)]
    /// Oldest first; as many as the width can show.
    let bars: [Bar]
    /// Every how many bars one has its name below.
    let labelled: Int

    struct Bar {
        let name: String
        /// The name with what makes it clear where it stands alone.
        let title: String
        /// One for each part.
        let counts: [Int]

        var all: Int { counts.reduce(0, +) }
    }

    private static let width = 720
    private static let height = 120

    private var step: Int { Self.width / bars.count }
    /// The space that a bar leaves free at either side.
    private var inset: Int { step / 10 }

    var html: HTML {
        let key = parts.map { part -> HTML in "<span class=\"key \(part.style)\"></span>\(language(part.name)) " }
        let heads = parts.map { part -> HTML in "<th scope=\"col\">\(language(part.name))</th>" }
        return """
            <figure class="chart">
            <svg viewBox="0 0 \(Self.width) \(Self.height + 26)" role="img" aria-label="\(summary)">
            \(HTML.join(bars.enumerated().map(drawing)))\(HTML.join(labels))\
            <line class="axis" x1="0" y1="\(Self.height)" x2="\(Self.width)" y2="\(Self.height)"/>
            </svg>
            <figcaption>\(HTML.join(key))</figcaption>
            </figure>
            <details><summary>\(language(.asTable))</summary>
            <div class="scroll"><table>
            <thead><tr><th scope="col">\(language(unit)) (UTC)</th>\(HTML.join(heads))</tr></thead>
            <tbody>
            \(HTML.join(bars.reversed().map(row)))</tbody>
            </table></div></details>

            """
    }

    private var summary: String {
        parts.enumerated().map { index, part in
            "\(language(part.name)): \(language.number(bars.reduce(0) { $0 + $1.counts[index] }))"
        }.joined(separator: ", ")
    }

    private func drawing(_ index: Int, _ bar: Bar) -> HTML {
        let most = max(bars.map(\.all).max() ?? 0, 1)
        var top = Double(Self.height)
        let pieces = zip(parts, bar.counts).map { part, count -> HTML in
            guard count > 0 else { return .nothing }
            // What happened at all is seen.
            let height = max(2, Double(Self.height - 8) * Double(count) / Double(most))
            top -= height
            return """
                <rect class="\(part.style)" x="\(index * step + inset)" y="\(Self.decimal(top))" \
                width="\(step - 2 * inset)" height="\(Self.decimal(height))"/>
                """
        }
        return "<g><title>\(bar.title): \(language.number(bar.all))</title>\(HTML.join(pieces))</g>\n"
    }

    private var labels: [HTML] {
        bars.enumerated().filter { $0.offset.isMultiple(of: labelled) }.map { index, bar in
            "<text x=\"\(index * step + inset)\" y=\"\(Self.height + 20)\">\(bar.name)</text>\n"
        }
    }

    private func row(_ bar: Bar) -> HTML {
        let cells = bar.counts.map { count -> HTML in "<td class=\"number\">\(count)</td>" }
        return "<tr><th scope=\"row\">\(bar.name)</th>\(HTML.join(cells))</tr>\n"
    }

    /// With one decimal place.
    private static func decimal(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
