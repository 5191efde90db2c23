internal import FoundationEssentials
internal import Store
internal import System

/// The processes of a Pics that has several, or has lost one.
struct NodeList {
    let nodes: [NodeStatus]
    let language: Language
    let now: Date

    var html: HTML {
        guard nodes.count > 1 || nodes.contains(where: { $0.state == .lost }) else { return .nothing }
        return """
            <h2>\(language(.processes))</h2>
            <ul class="rows">
            \(HTML.join(nodes.map(line)))</ul>

            """
    }

    private func line(_ node: NodeStatus) -> HTML {
        var facts: [Phrase] = [node.serves ? (node.works ? .servesAndSends : .servesOnly) : .sendsOnly]
        switch node.state {
        case .lost: facts.append(.lastSeen(.ago(.span(now.timeIntervalSince(node.seenAt)))))
        case .running, .draining:
            facts.append(.up(node.version, .span(now.timeIntervalSince(node.startedAt))))
            if node.works { facts.append(.sendingNow(language.number(node.runningJobs))) }
            facts.append(
                .freeDisk(FileSize.text(node.diskFreeBytes), of: FileSize.text(node.diskTotalBytes)))
        }
        let state: (severity: HTML, word: Phrase) =
            switch node.state {
            case .running: ("good", .runs)
            case .draining: ("warn", .stopping)
            case .lost: ("wrong", .wasLost)
            }
        return """
            <li><div><strong dir="auto">\(node.name)</strong> <span class="state \(state.severity)">\(language(state.word))</span> \
            <span class="facts">\(facts.map { language($0) }.joined(separator: " · "))</span></div></li>

            """
    }
}
