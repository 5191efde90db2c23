import FoundationEssentials
import HTTP
import System

/// `pics submit FILE`: posts a photo through a running server and watches until it has arrived everywhere.
enum SubmitCommand: Command {
    static let name = "submit"
    static let summary = "Posts a photo and waits until it is posted everywhere."
    static let help = """
        pics submit FILE [--caption TEXT] [--alt-text TEXT] [--services mastodon,twitter] [--visibility public]
                         [--url ADDRESS] [--token TOKEN]

        Prints a line for each account when the photo is posted, or why it waits. Sends it to the running Pics of the data
        folder, or to the one at --url.
        Exit status: 0 when it is posted everywhere, 1 when not, 2 for a mistake in the command.
        The token is that of --token, PICS_TOKEN, or the first admin's in the data folder.
        """
    static let options: Set<String> = ["caption", "alt-text", "services", "visibility", "url", "token"]
    static let wordLimit = 1

    private static let final: Set<String> = ["done", "rejected", "cancelled", "unknown", "needs_login", "paused"]

    static func run(_ arguments: Arguments) async throws -> Int32 {
        guard let path = arguments.words.first else { throw misfit(arguments) }
        let client = try Client(arguments, try configuration(arguments))
        guard let size = FileSize.ofFile(at: path) else {
            throw UsageError("\(path) cannot be read.")
        }
        var form = MultipartForm()
        for (option, field) in [
            ("caption", "caption"), ("alt-text", "alt_text"), ("services", "services"), ("visibility", "visibility"),
        ] {
            if let value = arguments[option] { form.add(field, value) }
        }
        form.add(
            "photo", filename: URL(filePath: path).lastPathComponent, mediaType: .octetStream,
            .file(path: path, offset: 0, length: size))
        let photo = try await client.send(.post, "/v1/photos", body: form.body, type: form.mediaType.description)
        guard let id = photo["id"]?.string, let shortURL = photo["short_url"]?.string else {
            throw CommandFailure("The server's answer is not a photo.")
        }
        Terminal.say("stored \(shortURL.printable)")
        return try await watch(id, photo["submissions"]?.array ?? [], client)
    }

    /// Prints a line for each that has ended, and for each reason to wait, until all have ended.
    private static func watch(_ id: String, _ first: [JSONValue], _ client: Client) async throws -> Int32 {
        var submissions = first
        var shown: [String: String] = [:]
        while true {
            for submission in submissions {
                let key = submission["id"]?.string ?? ""
                let state = submission["state"]?.string ?? ""
                // A second attempt that fails for the same reason is no news.
                let news = final.contains(state) ? state : submission["problem"]?["text"]?.string
                guard let news, shown[key] != news else { continue }
                Terminal.say(line(submission))
                shown[key] = news
            }
            let states = submissions.compactMap { $0["state"]?.string }
            if states.allSatisfy(final.contains) { return states.allSatisfy { $0 == "done" } ? 0 : 1 }
            try await Task.sleep(for: .milliseconds(300))
            submissions = try await client.send(.get, "/v1/photos/\(id)/submissions")["items"]?.array ?? []
        }
    }

    private static func line(_ submission: JSONValue) -> String {
        func text(_ name: String) -> String? { submission[name]?.string }
        var words = [text("service") ?? "", text("account") ?? "", text("state") ?? ""]
        if let url = text("remote_url") ?? text("remote_id") { words.append(url) }
        if let problem = submission["problem"]?["text"]?.string { words.append(problem) }
        if let next = text("next_attempt_at") { words.append("next attempt \(next)") }
        return words.filter { !$0.isEmpty }.joined(separator: "  ").printable
    }
}
