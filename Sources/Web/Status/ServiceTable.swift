internal import FoundationEssentials
internal import Store
internal import Submitters

/// A line for each service, with what holds it back.
struct ServiceTable {
    let system: SystemStatus
    let language: Language
    let now: Date
    let registry: Registry

    var html: HTML {
        let heads: [Phrase] = [
            .service, .stateHead, .accountsHead, .waitingHead, .oldestHead, .runningHead, .doneHead, .refusedHead,
            .lastSuccess,
        ]
        let cells = heads.map { head -> HTML in "<th scope=\"col\">\(language(head))</th>" }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(language(.services))"><table class="services">
            <thead><tr>\(HTML.join(cells))</tr></thead>
            <tbody>
            \(HTML.join(system.services.map(row)))</tbody>
            </table></div>
            \(servers)
            """
    }

    private func row(_ service: ServiceStatus) -> HTML {
        let name = registry.name(of: service.service)
        var words: [Phrase] = []
        if service.accountsNeedingLogin > 0 { words.append(.accountsNeedLogin(service.accountsNeedingLogin)) }
        if let until = service.blockedUntil { words.append(.limited(.span(until.timeIntervalSince(now)))) }
        words += system.gates.first { $0.name == service.service }.map(holds) ?? []
        let problem: HTML =
            service.lastProblem.map { problem in
                let when = service.lastProblemAt.map { language(.ago(.span(now.timeIntervalSince($0)))) } ?? ""
                return """
                    <p class="problem">\(language(.lastProblem)): \(language.marked(Phrase(problem)))</p><p class="facts">\(when)</p>
                    """
            } ?? .nothing
        func number(_ state: String) -> String {
            let count = service.submissions[state] ?? 0
            let text = language.number(count)
            let isEstimate = service.areEstimated && count > 0 && (state == "done" || state == "cancelled")
            return isEstimate ? language(.about(text)) : text
        }
        let oldest = service.oldestWaiting.map { language(.span(now.timeIntervalSince($0))) } ?? ""
        let success = service.lastSuccess.map { language(.ago(.span(now.timeIntervalSince($0)))) } ?? language(.noneYet)
        let severity: HTML = words.isEmpty ? "good" : "warn"
        let state = words.isEmpty ? language(.works) : words.map { language($0) }.joined(separator: "; ")
        // On a phone, where there is no room for columns.
        let counts: [(Phrase, String)] = [
            (.waitingHead, language.number(service.waiting)), (.oldestHead, oldest),
            (.runningHead, language.number(service.running)), (.doneHead, number("done")),
            (.refusedHead, number("rejected")), (.lastSuccess, success),
        ]
        let line = counts.filter { !$0.1.isEmpty }.enumerated().map { index, count -> HTML in
            "\(index == 0 ? "" : " · ")<span>\(language(count.0)) \(count.1)</span>"
        }
        return """
            <tr><th scope="row">\(name)</th><td><span class="state \(severity)">\(state)</span>\(problem)\
            <p class="facts counts">\(HTML.join(line))</p></td>\
            <td class="number">\(language.number(service.accounts))</td>\
            <td class="number">\(language.number(service.waiting))</td><td class="number">\(oldest)</td>\
            <td class="number">\(language.number(service.running))</td><td class="number">\(number("done"))</td>\
            <td class="number">\(number("rejected"))</td><td>\(success)</td></tr>

            """
    }

    /// Gates that are no service: servers that users named.
    private var servers: HTML {
        let lines = system.gates.compactMap { gate -> HTML? in
            guard gate.name != "*", !system.services.contains(where: { $0.service == gate.name }) else { return nil }
            let words = holds(gate)
            guard !words.isEmpty else { return nil }
            let problem: HTML =
                gate.problem.map { " <span class=\"facts\">\(language.marked(Phrase($0)))</span>" } ?? .nothing
            return """
                <li><div><strong dir="auto">\(gate.name)</strong> \(words.map { language($0) }.joined(separator: "; "))\(problem)</div></li>

                """
        }
        return lines.isEmpty ? .nothing : "<ul class=\"rows\">\n\(HTML.join(lines))</ul>\n"
    }

    private func holds(_ gate: GateStatus) -> [Phrase] {
        var words: [Phrase] = []
        if gate.isPaused { words.append(.pausedBecause(gate.reason)) }
        switch gate.breaker {
        case .closed: break
        case .open: words.append(.breakerOpen)
        case .probing: words.append(.breakerProbing)
        }
        if let time = gate.opensAt { words.append(.until(.span(time.timeIntervalSince(now)))) }
        if gate.lanesFailing > 0 { words.append(.accountsFailing(gate.lanesFailing, of: gate.lanes)) }
        if let cap = gate.cap, gate.used > 0 { words.append(.capUsed(gate.used, of: cap)) }
        return words
    }
}
