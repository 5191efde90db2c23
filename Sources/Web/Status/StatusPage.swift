package import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
package import Store
internal import System

extension PageHandlers {
    private static let shownTroubles = 20

    /// `GET /status` for browsers: is it working, and if not, what is to be done. Strangers get the response alone, users see their own
    /// accounts, admins everybody's and what is to be mended. `works` tells whether Pics can serve; it is asked for strangers.
    package func statusPage(
        _ request: HTTPRequest, _ process: ProcessStatus, _ reader: StatusReader, works: () async -> Bool
    ) async throws -> HTTPResponse {
        let caller = try await signedIn(request)
        let language = Language(request)
        switch StatusAudience(caller?.user) {
        case .stranger:
            let isGood = await works()
            let summary: HTML = """
                <div class="verdict \(isGood ? "good" : "wrong")">
                <h1>\(language(isGood ? .picsWorks : .picsDoesNotWork))</h1>
                </div>

                """
            return statusPage(summary, language, status: isGood ? .ok : .serviceUnavailable)
        case .user(let id):
            let system = try await reader.read(of: id)
            return statusPage(
                summary(StatusSummary.ofAccounts(system, now: Date()), system, language), language, for: caller)
        case .admin:
            let system = try await reader.read()
            let now = Date()
            let history = try await reader.queueHistory()
            return statusPage(
                """
                \(notice(request, language))\(summary(StatusSummary.of(process, system, now: now), system, language))\
                <h2>\(language(.lastDay))</h2>
                \(QueueChart(history, language, now: now).html)\(try await admin(caller, language))\
                \(machine(process, system, language, now))\(NodeList(nodes: system.nodes, language: language, now: now).html)
                """, language, for: caller)
        }
    }

    private func statusPage(
        _ content: HTML, _ language: Language, for caller: SignedInUser? = nil, status: HTTPStatus = .ok
    ) -> HTTPResponse {
        var response = Page(
            language: language, title: "\(language(.status)) · Pics", layout: .sheet,
            head: "<script src=\"\(StaticFile.statusScript.path)\" defer></script>\n",
            bar: caller.map { Bar($0, at: .status) },
            content: """
                <div data-live>
                \(content)</div>

                """,
            footer: """
                <label class="choice" data-refresh hidden><input type="checkbox" checked> \(language(.refreshesByItself))</label>
                """
        ).personal()
        response.status = status
        return response
    }

    /// The outcome, and the services it is about.
    private func summary(_ summary: StatusSummary, _ system: SystemStatus, _ language: Language) -> HTML {
        let advice: HTML = summary.advice.map { "<p>\(Self.withCode(language($0)))</p>\n" } ?? .nothing
        let table: HTML =
            system.services.isEmpty
            ? .nothing
            : """
            <h2>\(language(.services))</h2>
            \(ServiceTable(system: system, language: language, now: Date(), registry: registry).html)
            """
        return """
            <div class="verdict \(summary.severity.rawValue)">
            <h1>\(language(summary.sentence))</h1>
            \(advice)</div>
            \(table)
            """
    }

    private func notice(_ request: HTTPRequest, _ language: Language) -> HTML {
        guard let done = request.query["done"] else { return .nothing }
        return (done == "yes" ? Notice.done(.wasDone) : .failed(.hasEnded)).html(language)
    }

    /// The part that only admins see.
    private func admin(_ caller: SignedInUser?, _ language: Language) async throws -> HTML {
        guard let caller else { return .nothing }
        let submissions = try await store.troubledSubmissions(limit: Self.shownTroubles)
        let findings = try await findings().map { finding -> HTML in
            """
            <li><div><strong dir="auto">\(language(finding.what))</strong> \
            <span class="facts">\(Self.withCode(language(finding.remedy)))</span></div></li>

            """
        }
        guard !submissions.isEmpty || !findings.isEmpty else {
            return "<h2>\(language(.needsALook))</h2>\n<p class=\"facts\">\(language(.nothingAtAll))</p>\n"
        }
        let mend: HTML =
            findings.isEmpty
            ? "<p class=\"facts\">\(language(.nothingToMend))</p>\n"
            : "<ul class=\"rows\">\n\(HTML.join(findings))</ul>\n"
        return """
            <h2>\(language(.needsALook))</h2>
            \(troubled(submissions, caller))<h2>\(language(.toMend))</h2>
            \(mend)
            """
    }

    private func machine(
        _ process: ProcessStatus, _ system: SystemStatus, _ language: Language, _ now: Date
    ) -> HTML {
        guard let database = system.database else { return .nothing }
        let disk = Phrase.free(FileSize.text(process.diskFreeBytes), of: FileSize.text(process.diskTotalBytes))
        let contents = Phrase.photosOf(
            language.number(Int(database.photos)), users: language.number(Int(database.users)))
        let up = Phrase.up(process.version, .span(now.timeIntervalSince(process.startedAt)))
        let queue: HTML = process.isWorking ? .nothing : " · \(language(.leavesTheQueue))"
        return """
            <h2>\(language(.thisMachine))</h2>
            <dl class="machine">
            <div><dt>\(language(.version))</dt><dd>\(language(up))\(queue)</dd></div>
            <div><dt>\(language(.contents))</dt><dd>\(language(contents))</dd></div>
            <div><dt>\(language(.database))</dt><dd>PostgreSQL \(database.version), \(FileSize.text(database.bytes))</dd></div>
            \(system.replica.map { Self.row(of: $0, language) } ?? .nothing)<div><dt>\(language(.disk))</dt><dd>\(language(disk))</dd></div>
            </dl>

            """
    }

    private static func row(of replica: Replica.Status, _ language: Language) -> HTML {
        "<div><dt>\(language(.replica))</dt><dd>\(language(.state(of: replica)))</dd></div>\n"
    }

    /// Text in which what stands between backticks is to be typed.
    private static func withCode(_ text: String) -> HTML {
        HTML.join(
            text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
                index.isMultiple(of: 2) ? HTML.text(String(part)) : "<code>\(String(part))</code>"
            })
    }
}
