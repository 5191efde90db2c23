import Actions
import Domain
import FoundationEssentials
import HTTP
import Store
import Submitters

/// `pics queue`: what an operator sees of the queue, and does to it.
enum QueueCommand: Command {
    static let name = "queue"
    static let summary = "Lists, retries, cancels, resolves and pauses submissions."
    static let help = """
        pics queue                                       what is paused or limited, and how many wait
        pics queue list [--service S] [--state ST] [--limit N]
        pics queue show ID                               a submission with its attempts and responses
        pics queue retry ID                              starts again, or tries now
        pics queue cancel ID
        pics queue resolve ID --url URL                  it was published at URL
        pics queue resolve ID --not-published            it was not published: tries again
        pics queue pause [GATE] [--reason TEXT]          pauses everything, a service or a server
        pics queue resume [GATE]                         resumes at once, past breakers and limits

        States are waiting, running, done, rejected, cancelled, unknown, needs_login, paused and deleted. A gate is a
        service such as twitter, one server such as "mastodon https://mastodon.social", or with mastodon all servers
        that accounts are on now; `pics queue` lists them. Resuming everything closes all breakers and keeps limits.
        """
    static let options: Set<String> = ["service", "state", "limit", "url", "reason"]
    static let flags: Set<String> = ["not-published"]
    static let wordLimit = 2

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        let word = arguments.words.count > 1 ? arguments.words[1] : nil
        switch (arguments.words.first, word) {
        case (nil, nil): try await OpenDatabase.with(configuration, name: "pics queue") { try await overview($0) }
        case ("list", nil):
            let filter = try Filter(arguments)
            try await OpenDatabase.with(configuration, name: "pics queue") { try await list($0, filter) }
        case ("show", let id?):
            try await OpenDatabase.with(configuration, name: "pics queue") { store in
                try await show(store, try await submission(id, store))
            }
        case ("cancel", let id?):
            try await OpenDatabase.with(configuration, name: "pics queue") { store in
                let found = try await submission(id, store)
                say(try await store.cancel(found.submission.id, owner: found.owner))
            }
        case ("retry", let id?), ("resolve", let id?):
            try await Runtime.with(configuration, name: "pics queue", for: .credentials) { runtime in
                let found = try await submission(id, runtime.store)
                if arguments.words[0] == "retry" {
                    try await retry(found, runtime)
                } else {
                    try await resolve(found, arguments, runtime)
                }
            }
        case ("pause", let gate), ("resume", let gate):
            let isPaused = arguments.words[0] == "pause"
            try await OpenDatabase.with(configuration, name: "pics queue") { store in
                do throws(StoreError) {
                    try await store.pauseGate(isPaused, gate ?? "*", reason: arguments["reason"])
                } catch {
                    guard error == .notFound else { throw error }
                    throw CommandFailure("No account is behind a gate \(gate ?? "*"). `pics queue` lists them.")
                }
                try await overview(store)
            }
        default: throw misfit(arguments)
        }
        return 0
    }

    private struct Filter {
        let service: String?
        let state: Submission.State?
        let limit: Int

        init(_ arguments: Arguments) throws {
            service = arguments["service"]
            state = try arguments["state"].map { text in
                guard let state = Submission.State(rawValue: text) else {
                    throw UsageError("There is no state \(text).")
                }
                return state
            }
            guard let limit = Int(arguments["limit"] ?? "50"), (1...10_000).contains(limit) else {
                throw UsageError("--limit is a number from 1 to 10000.")
            }
            self.limit = limit
        }
    }

    private static func submission(_ text: String, _ store: PicsStore) async throws -> OperatorSubmission {
        guard let id = SubmissionID(text) else { throw UsageError("\(text) is no submission's identifier.") }
        do throws(StoreError) { return try await store.submissionForOperator(id) } catch {
            guard error == .notFound else { throw error }
            throw CommandFailure("There is no submission \(text).")
        }
    }

    // MARK: Showing

    private static func overview(_ store: PicsStore) async throws {
        let services = try await store.serviceStatus()
        for service in services {
            let oldest = service.oldestWaiting.map { ", oldest since \(Timestamp($0))" } ?? ""
            Terminal.say("\(service.service): \(service.waiting) waiting, \(service.running) running\(oldest)")
        }
        if services.isEmpty { Terminal.say("No account is connected.") }
        for gate in try await store.gates() {
            var words: [String] = []
            if gate.isPaused { words.append("paused" + (gate.reason.map { " (\($0))" } ?? "")) }
            if gate.breaker != .closed { words.append("breaker \(gate.breaker.rawValue)") }
            if let time = gate.opensAt { words.append("until \(Timestamp(time))") }
            if let problem = gate.problem { words.append(problem.text) }
            if gate.lanesFailing > 0 { words.append("\(gate.lanesFailing) of \(gate.lanes) accounts failing") }
            if let cap = gate.cap { words.append("\(gate.used) of \(cap) used") }
            Terminal.say("gate \(gate.name): \(words.isEmpty ? "open" : words.joined(separator: ", "))")
        }
    }

    private static func list(_ store: PicsStore, _ filter: Filter) async throws {
        let found = try await store.submissionsForOperator(
            service: filter.service, state: filter.state, limit: filter.limit)
        for item in found { say(item.submission, owner: item.ownerName) }
        if found.isEmpty { Terminal.say("There is none.") }
    }

    private static func say(_ submission: Submission, owner: String? = nil) {
        let words = [
            submission.id.description, submission.state.rawValue, submission.service, submission.account, owner,
            submission.nextAttemptAt.map { "next \(Timestamp($0))" }, submission.remoteURL, submission.problem?.text,
        ]
        Terminal.say(words.compactMap { $0?.printable }.joined(separator: "  "))
    }

    private static func show(_ store: PicsStore, _ found: OperatorSubmission) async throws {
        let submission = found.submission
        say(submission, owner: found.ownerName)
        Terminal.say("photo \(submission.photo), \(submission.length) of \(submission.limit.map { "\($0)" } ?? "any")")
        for text in submission.thread.isEmpty ? [submission.text] : submission.thread { Terminal.say(text.printable) }
        for attempt in try await store.attempts(of: submission.id) {
            let words = [
                Timestamp(attempt.startedAt).description, attempt.outcome, attempt.status.map { "HTTP \($0)" },
                attempt.problem?.text,
            ]
            Terminal.say("  " + words.compactMap { $0?.printable }.joined(separator: "  "))
            if let detail = attempt.detail { Terminal.say("    " + detail.printable) }
        }
    }

    // MARK: Doing

    private static func retry(_ found: OperatorSubmission, _ runtime: Runtime) async throws {
        do throws(StoreError) {
            say(try await runtime.submissions.retry(found.submission.id, of: found.owner))
        } catch {
            switch error {
            case .withheld: throw CommandFailure("The photo was made private: nothing of it is sent.")
            case .notFound: throw CommandFailure("This Pics does not know the service \(found.submission.service).")
            default: throw error
            }
        }
    }

    private static func resolve(
        _ found: OperatorSubmission, _ arguments: Arguments, _ runtime: Runtime
    ) async throws {
        guard found.submission.state == .unknown else {
            throw CommandFailure("It is \(found.submission.state.rawValue), and only unknown ones are resolved.")
        }
        if arguments.flags.contains("not-published") { return try await retry(found, runtime) }
        guard let url = arguments["url"], url.isWebAddress else {
            throw UsageError("Say --url with the post's address, or --not-published.")
        }
        say(
            try await runtime.submissions.resolve(
                found.submission.id, of: found.owner, remoteID: String(url.prefix(512)), url: url))
    }
}
