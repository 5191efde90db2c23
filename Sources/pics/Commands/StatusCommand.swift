import FoundationEssentials
import HTTP

/// `pics status`: what `/status` says, for the terminal.
enum StatusCommand: Command {
    static let name = "status"
    static let summary = "Shows the state of a running Pics."
    static let help = """
        pics status [--url ADDRESS] [--token TOKEN] [--ready]

        Asks the running Pics of the data folder, or the one at --url.
        The token is that of --token, PICS_TOKEN, or the first admin's in the data folder.
        An admin's token shows everything, a user's their own accounts.
        With --ready it prints nothing; its exit status tells whether Pics can serve.
        """
    static let options: Set<String> = ["url", "token"]
    static let flags: Set<String> = ["ready"]

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let client = try Client(arguments, try configuration(arguments))
        if arguments.flags.contains("ready") {
            _ = try await client.send(.get, "/readyz")
            return 0
        }
        let status = try await client.send(.get, "/status")
        func number(_ value: JSONValue?) -> String { value?.int.map { String($0) } ?? "" }
        Terminal.say(head(status, client, number).printable)
        let nodes = status["nodes"]?.array ?? []
        if nodes.count > 1 {
            let table = Terminal.columns(
                nodes.map { node in
                    let tasks = [("serves", "serves"), ("works", "sends")].filter { node[$0.0]?.bool == true }.map(\.1)
                    return [
                        node["name"]?.string ?? "", node["state"]?.string ?? "", node["version"]?.string ?? "",
                        tasks.joined(separator: ", "), "running \(number(node["running"]))",
                        "last seen \(node["seen_at"]?.string ?? "")",
                    ]
                })
            for line in table { Terminal.say(line.printable) }
        }
        let services = status["services"]?.array ?? []
        let table = Terminal.columns(
            services.map { service in
                let done = number(service["submissions"]?["done"])
                return [
                    service["service"]?.string ?? "", "waiting \(number(service["waiting"]))",
                    "running \(number(service["running"]))", "done \(done.isEmpty ? "0" : done)",
                ]
            })
        for (service, columns) in zip(services, table) {
            var line = columns
            if let login = service["accounts_needing_login"]?.int, login > 0 { line += "  needs login \(login)" }
            if let problem = service["last_problem"]?["text"]?.string { line += "  last problem: \(problem)" }
            Terminal.say(line.printable)
        }
        return 0
    }

    /// An admin sees all of it; others whether it works.
    private static func head(_ status: JSONValue, _ client: Client, _ number: (JSONValue?) -> String) -> String {
        guard let version = status["version"]?.string else {
            return "Pics at \(client.base) \(status["status"]?.string == "fail" ? "does not work" : "works")"
        }
        return "Pics \(version) at \(client.base), up \(number(status["uptime_seconds"])) s, "
            + "\(number(status["database"]?["photos"])) photos, \(number(status["database"]?["users"])) users"
    }
}
