import Domain
import FoundationEssentials
import HTTP
import Settings
import Store

/// `pics audit`: what was done to users, sign-ins, keys, accounts and settings.
enum AuditCommand: Command {
    static let name = "audit"
    static let summary = "Shows what was done to users, sign-ins, keys and settings."
    static let help = """
        pics audit [--user NAME] [--since DURATION] [--json]

        Lists the audit log, oldest first: of all users, or what one user did and what was done to them. --since is how far back,
        such as 12h or 30d; without it, everything that audit_retention keeps. With --json each line is a JSON object.
        """
    static let options: Set<String> = ["user", "since"]
    static let flags: Set<String> = ["json"]

    private static let pageLength = 500

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        let age = try arguments["since"].map { text in
            guard let age = Duration(setting: text), age > .zero else {
                throw UsageError("\(text) is no duration such as 12h or 30d.")
            }
            return age
        }
        let since = age.map { Date().addingTimeInterval(-($0 / .seconds(1))) } ?? .distantPast
        let isJSON = arguments.flags.contains("json")
        try await OpenDatabase.with(configuration, name: "pics audit") { store in
            var filter = AuditFilter()
            if let name = arguments["user"] {
                guard let user = try await store.password(ofUserNamed: name)?.user else {
                    throw CommandFailure("There is no user \(name). `pics user list` shows all.")
                }
                filter.person = user.id
            }
            var last: AuditID?
            repeat {
                let lines = try await store.auditLines(filter, since: since, after: last, limit: pageLength)
                for line in lines { Terminal.say(isJSON ? json(line) : text(line)) }
                last = lines.count == pageLength ? lines.last?.id : nil
            } while last != nil
        }
        return 0
    }

    private static func text(_ line: AuditLine) -> String {
        let facts = line.details.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let columns: [String?] = [
            Timestamp(line.at).description, line.word, line.subject ?? line.user, "by \(line.actor ?? "-")",
            line.channel.rawValue, line.network, facts.isEmpty ? nil : facts.joined(separator: " "),
        ]
        return columns.compactMap { $0 }.joined(separator: "  ").printable
    }

    private static func json(_ line: AuditLine) -> String {
        let details = JSONObject(line.details.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        let json: JSONValue = [
            "at": .string(Timestamp(line.at).description), "action": .string(line.word),
            "channel": .string(line.channel.rawValue), "actor": JSONValue(line.actor),
            "network": JSONValue(line.network), "user": JSONValue(line.user),
            "subject_kind": JSONValue(line.subjectKind?.rawValue), "subject": JSONValue(line.subject),
            "details": .object(details),
        ]
        return String(decoding: json.serialized, as: UTF8.self)
    }
}
