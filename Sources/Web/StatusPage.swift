package import Domain
internal import Foundation
internal import HTTP
package import HTTPServer
package import Store
internal import Submitters

extension Web {
    /// `GET /status` for browsers: is it working, and if not, what is wrong.
    package func statusPage(_ process: ProcessStatus, _ system: SystemStatus) -> Response {
        let now = Date()
        let rows = system.services.map { row($0, now) }
        let content: HTML = """
            <h1>\(headline(system))</h1>
            <div class="scroll"><table>
            <thead><tr><th>Service</th><th>Accounts</th><th>Waiting</th><th>Running</th><th>Oldest</th><th>Done</th>\
            <th>Refused</th><th>Last success</th><th>Last problem</th></tr></thead>
            <tbody>
            \(HTML.join(rows))</tbody>
            </table></div>
            \(held(system, now))
            <p class="facts">\(system.database.photos) photos of \(system.database.users) users · PostgreSQL \
            \(system.database.version), \(Self.size(system.database.bytes)) · disk \(Self.size(process.diskFreeBytes)) free of \
            \(Self.size(process.diskTotalBytes)) · Pics \(process.version), up \(Self.span(now.timeIntervalSince(process.startedAt)))\
            \(process.isWorking ? "" : " · this process leaves the queue to others")</p>

            """
        return Page(
            title: "Status · Pics", layout: .sheet, head: "<meta http-equiv=\"refresh\" content=\"15\">\n",
            content: content
        ).response(cache: "no-store")
    }

    private func headline(_ system: SystemStatus) -> String {
        if system.services.isEmpty { return "No account is connected yet" }
        if system.gates.contains(where: { $0.name == "*" && $0.isPaused }) { return "Everything is paused" }
        let logins = system.services.map(\.accountsNeedingLogin).reduce(0, +)
        if logins > 0 { return "\(logins) account\(logins == 1 ? "" : "s") must be connected again" }
        let waiting = system.services.map { $0.waiting + $0.running }.reduce(0, +)
        return waiting == 0 ? "All is done" : "\(waiting) on the way"
    }

    /// What is held back, why, and until when; nothing when nothing is.
    private func held(_ system: SystemStatus, _ now: Date) -> HTML {
        let lines = system.gates.compactMap { gate -> HTML? in
            let name = gate.name == "*" ? "Everything" : gate.name
            var words: [String] = []
            if gate.isPaused { words.append("paused by the operator" + (gate.reason.map { ": \($0)" } ?? "")) }
            switch gate.breaker {
            case .closed: break
            case .open: words.append("left alone after several accounts came to grief")
            case .probing: words.append("one photo tries whether it is back")
            }
            if let time = gate.opensAt { words.append("for \(Self.span(time.timeIntervalSince(now)))") }
            if gate.lanesFailing > 0 { words.append("\(gate.lanesFailing) of \(gate.lanes) accounts failing") }
            if let cap = gate.cap, gate.used > 0 { words.append("\(gate.used) of \(cap) used") }
            guard !words.isEmpty else { return nil }
            if let problem = gate.problem { words.append(problem) }
            return "<li><strong>\(name)</strong>: \(words.joined(separator: "; "))</li>\n"
        }
        guard !lines.isEmpty else { return "" }
        return "<ul class=\"held\">\n\(HTML.join(lines))</ul>"
    }

    private func row(_ service: ServiceStatus, _ now: Date) -> HTML {
        let name = registry[service.service]?.description.name ?? service.service
        let oldest = service.oldestWaiting.map { Self.span(now.timeIntervalSince($0)) } ?? ""
        let blocked = service.blockedUntil.map { "held back for \(Self.span($0.timeIntervalSince(now)))" }
        let problem = [blocked, service.lastProblem].compactMap { $0 }.joined(separator: "; ")
        let success = service.lastSuccess.map { "\(Self.span(now.timeIntervalSince($0))) ago" } ?? "none yet"
        return """
            <tr><td>\(name)</td><td class="number">\(service.accounts)</td><td class="number">\(service.waiting)</td>\
            <td class="number">\(service.running)</td><td>\(oldest)</td>\
            <td class="number">\(service.submissions["done"] ?? 0)</td>\
            <td class="number">\(service.submissions["rejected"] ?? 0)</td><td>\(success)</td><td>\(problem)</td></tr>

            """
    }

    private static func size(_ bytes: Int64) -> String {
        bytes.formatted(.byteCount(style: .binary).locale(Locale(identifier: "en")))
    }

    private static func span(_ seconds: TimeInterval) -> String {
        switch max(0, Int(seconds)) {
        case let seconds where seconds < 60: "\(seconds) s"
        case let seconds where seconds < 3600: "\(seconds / 60) min"
        case let seconds where seconds < 172_800: "\(seconds / 3600) h"
        case let seconds: "\(seconds / 86_400) days"
        }
    }
}
