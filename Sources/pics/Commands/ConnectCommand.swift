import Actions
import Domain
import EventLoops
import HTTP
import Settings
import Store
import Submitters

/// `pics connect SERVICE`: asks for what the service needs and connects the account.
enum ConnectCommand: Command {
    static let name = "connect"
    static let summary = "Connects an account of a service."
    static let help = """
        pics connect SERVICE [NAME=VALUE …] [--browser | --no-browser] [--user NAME] [--url ADDRESS]
                             [--enabled yes|no] [--visibility NAME] [--share yes|no] [--album ID]
                             [--caption yes|no] [--caption-template TEXT] [--caption-rule NAME]
                             [--long-caption cut|refuse|thread]
                             [--quality original|large|medium|small] [--auto-enhance yes|no] [--keep-position yes|no]
        pics connect

        Without SERVICE it lists the services and what each needs. It asks for missing values; secrets are not shown while
        you type. Without a terminal it reads them from standard input, one per line, in the same order. No secret has to
        be on the command line.

        With --browser it prints an address to open and give consent. That is the default at a terminal if the service offers
        it and Pics has the keys (see `pics doctor`). It ends when the browser returns to a running Pics, or when you paste
        the address that the browser shows then, or its code.

          --no-browser             asks for credentials instead
          --url ADDRESS            how browsers reach this Pics; else base_url, else where it listens
          --user NAME              whose account it is, when there are several users; else admin's
          --enabled no             sends only photos that name this account
          --visibility NAME        who sees posts there, where the service has a choice; a wrong name shows them all
          --share yes              gives each file a link that everybody may open
          --album ID               album for photos; IDs by `GET /v1/connections/{id}/albums`
          --caption no             sends photos without their captions
          --caption-template TEXT  text in place of the caption, such as 'Day {day} of {days}: {caption}';
                                   {date} and {short_url} are possible too
          --caption-rule NAME      rule that counts and cuts captions, in place of the service's own, such as
                                   twitter_weighted or graphemes:300; a wrong name shows them all
          --long-caption NAME      captions that are too long: cut with a link to the whole (cut), photo not sent (refuse),
                                   or several posts that follow each other (thread; X, Mastodon, Bluesky, Threads)
          --quality NAME           size of pictures: sides up to 2,048 pixels (large), 1,280 (medium) or 960 (small)
          --auto-enhance yes       enhances tones and brightness
          --keep-position yes      includes where pictures and videos were taken

        Connecting an account again keeps its choices, except those given; an empty text resets one.
        `pics connection set` changes them without connecting again.
        Servers at private addresses or without https, as in a home network, need the setting private_servers.
        """
    static let options = AccountChoices.options.union(["user", "url"])
    static let flags: Set<String> = ["browser", "no-browser"]
    static let wordLimit = Int.max

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        let folder = DataFolder(configuration)
        let registry = Runtime.registry(
            configuration, folder: folder, threads: BlockingThreads(name: "disk", count: 1))
        guard let name = arguments.words.first else {
            for submitter in registry.submitters { Terminal.say(line(submitter.description)) }
            return 0
        }
        guard let submitter = registry[name] else {
            throw UsageError("There is no service \(name). There are \(registry.names.joined(separator: ", ")).")
        }
        let service = submitter.description
        let chosen = try AccountChoices.given(arguments, for: submitter)
        if let note = service.linkNote,
            chosen[AccountChoice.captionTemplate.name]?.string?.contains("{short_url}") == true
        {
            Terminal.say(note)
        }
        let given = try read(arguments.words.dropFirst(), for: submitter)
        // Nobody should type secrets for nothing.
        try folder.prepare(for: .credentials, configuration)
        let browser = try browser(submitter, given, arguments, configuration)
        let entered = try ask(for: browser?.fields ?? service.credentialFields, given)
        try await Runtime.with(configuration, name: "pics connect", for: .credentials) { runtime in
            // Texts that wait may get a short link.
            try runtime.takeRunningAddress()
            let users = try await runtime.store.users()
            let user = try owner(arguments["user"], among: users)
            do {
                let account: String
                if let browser {
                    account = try await browser.connect(user, entered: entered, chosen: chosen, runtime)
                } else {
                    account = try await runtime.accounts.connect(
                        submitter, of: user, entered: entered, chosen: chosen
                    ).account
                }
                Terminal.say("connected \(service.name) as \(account.printable) for \(user.name)")
            } catch let error as SubmissionError {
                throw CommandFailure(sentence(error, service, configuration).printable)
            }
            if arguments["user"] == nil, users.count > 1 {
                Terminal.say("It is \(user.name)'s; --user NAME connects an account of somebody else.")
            }
        }
        return 0
    }

    private static func line(_ service: ServiceDescription) -> String {
        let fields = service.credentialFields.map(\.name).joined(separator: ", ")
        return "\(service.id)  \(service.name)" + (fields.isEmpty ? "" : "  needs \(fields)")
    }

    /// How the account is connected in the browser; nil: with what is entered.
    private static func browser(
        _ submitter: any Submitter, _ given: [String: String], _ arguments: Arguments, _ configuration: Configuration
    ) throws(UsageError) -> BrowserConnection? {
        if arguments.flags.contains("no-browser") { return nil }
        let isAsked = arguments.flags.contains("browser")
        guard let submitter = submitter as? any OAuthSubmitter else {
            guard !isAsked else {
                throw UsageError("Accounts of \(submitter.description.name) are connected without a browser.")
            }
            return nil
        }
        let fields = submitter.oauth.accountFields
        let isFit = given.keys.allSatisfy { name in fields.contains { $0.name == name } }
        guard isAsked || Terminal.isInteractive && isFit && BrowserConnection.isReady(submitter, configuration) else {
            return nil
        }
        guard isFit else {
            let names = fields.isEmpty ? "nothing" : fields.map(\.name).joined(separator: ", ")
            throw UsageError("In the browser \(submitter.description.name) needs \(names).")
        }
        return try BrowserConnection(submitter, arguments["url"], configuration)
    }

    private static func read(
        _ words: some Sequence<String>, for submitter: any Submitter
    ) throws(UsageError) -> [String: String] {
        let service = submitter.description
        let fields = service.credentialFields + ((submitter as? any OAuthSubmitter)?.oauth.accountFields ?? [])
        var given: [String: String] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard fields.contains(where: { $0.name == parts[0] }) else {
                let names = service.credentialFields.map(\.name)
                let all = names.isEmpty ? "nothing" : names.joined(separator: ", ")
                throw UsageError("\(parts[0]) is none of what \(service.name) needs: \(all).")
            }
            guard parts.count == 2 else { throw UsageError("\(word) needs a value: \(word)=VALUE.") }
            given[parts[0]] = parts[1]
        }
        return given
    }

    private static func ask(
        for fields: [CredentialField], _ given: [String: String]
    ) throws(UsageError) -> [String: String] {
        var entered = given
        for field in fields where entered[field.name] == nil {
            let answer = Terminal.ask(field.prompt, default: field.defaultValue, isSecret: field.isSecret)
            guard let value = answer ?? field.defaultValue else { throw UsageError("\(field.name) is needed.") }
            entered[field.name] = value
        }
        return entered
    }

    private static func sentence(
        _ error: SubmissionError, _ service: ServiceDescription, _ configuration: Configuration
    ) -> String {
        switch error {
        case .temporary(let problem, _), .unauthorized(let problem), .gone(let problem),
            .unknownOutcome(let problem, _), .fileUnavailable(let problem):
            return text(problem)
        case .rejected(let problem):
            // Without a status the address was refused, not by the service but by Pics.
            let mayBeHome = problem.status == nil && !configuration[PicsSettings.privateServers]
            return text(problem)
                + (mayBeHome ? " Servers at private addresses or without https need the setting private_servers." : "")
        case .limited: return "\(service.name) lets nobody in for a while; its limit is used up."
        case .notYet, .cancelled, .leaseLost: return "\(service.name) did not answer."
        }
    }

    private static func text(_ problem: SubmissionProblem) -> String {
        problem.problem.text + (problem.detail.map { " (\($0))" } ?? "")
    }
}
