import Testing

@testable import Web

struct StackedBarsTests {
    private func bars(_ counts: [[Int]]) -> StackedBars {
        StackedBars(
            language: .english, unit: .hour, parts: [(.published, "published"), (.failed, "failed")],
            bars: counts.enumerated().map { StackedBars.Bar(name: "\($0)", title: "\($0) UTC", counts: $1) },
            labelled: 2)
    }

    @Test func `parts stand on each other, and the greatest sum is the height of all`() {
        let html = bars([[0, 0], [1, 3], [0, 2]]).html.markup

        let rects = html.matches(of: #/<rect class="(\w+)" x="(\d+)" y="([\d.]+)" width="(\d+)" height="([\d.]+)"/#)
        #expect(
            rects.map { "\($0.1) \($0.2) \($0.3) \($0.4) \($0.5)" } == [
                "published 264 92.0 192 28.0", "failed 264 8.0 192 84.0", "failed 504 64.0 192 56.0",
            ])
    }

    @Test func `one among thousands is still seen, and nothing draws nothing`() {
        #expect(bars([[10_000, 0], [0, 1]]).html.markup.contains("y=\"118.0\" width=\"288\" height=\"2.0\""))
        #expect(!bars([[0, 0]]).html.markup.contains("<rect"))
    }

    @Test func `what is drawn is said in words and in a table, newest first`() {
        let html = bars([[1000, 2], [5, 0]]).html.markup

        #expect(html.contains("aria-label=\"Published: 1,005, Failed: 2\""))
        #expect(html.contains("<title>0 UTC: 1,002</title>"))
        #expect(html.matches(of: #/<th scope="row">(\d)</#).map(\.1) == ["1", "0"])
    }
}
