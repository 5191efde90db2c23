internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTPServer
internal import Store

extension PageHandlers {
    /// `GET /{code}/visits`: how often a photo's page was opened, for its owner alone.
    func visitsPage(_ request: HTTPRequest, _ person: SignedInUser) async throws -> HTTPResponse {
        let code = try request.shortCode()
        let visits = try await photos.visits(ofPhotoBehind: code, for: person.user.id, limit: VisitChart.length)
        return VisitsPage(
            code: code, sum: visits.sum, chart: VisitChart(visits.days, person.language, now: Date()),
            language: person.language, bar: Bar(person)
        ).page.personal()
    }
}

/// How often a photo's page was opened: in all, and by day.
struct VisitsPage {
    let code: ShortCode
    let sum: VisitCount
    let chart: VisitChart
    let language: Language
    let bar: Bar

    static func path(of code: ShortCode) -> String { "/\(code)/visits" }

    var page: Page {
        let numbers: HTML =
            sum == VisitCount()
            ? "<p>\(language(.noVisitsYet))</p>\n"
            : """
            <h2>\(language(.visitsInAll))</h2>
            <dl class="machine">
            <div><dt>\(language(.visitors))</dt><dd>\(language.number(Int(sum.people)))</dd></div>
            <div><dt>\(language(.bots))</dt><dd>\(language.number(Int(sum.bots)))</dd></div>
            </dl>
            <h2>\(language(.last30Days))</h2>
            \(chart.html)
            """
        return Page(
            language: language, title: "\(language(.visits)) · \(code) · Pics", bar: bar,
            content: """
                <h1>\(language(.visits))</h1>
                <p><a href="/\(code.description)">\(language(.backToThePhoto))</a></p>
                \(numbers)<p class="facts">\(language(.visitsExplained))</p>

                """)
    }
}
