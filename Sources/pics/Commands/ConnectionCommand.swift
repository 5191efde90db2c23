import Actions
import Domain
import HTTP
import Settings
import Store
import Submitters

/// `pics connection list|show|set`: what was chosen for accounts, without connecting them again.
enum ConnectionCommand: Command {
    static let name = "connection"
    static let summary = "Lists connected accounts, shows and changes what was chosen for one."
    static let help = """
        pics connection list [--user NAME]
        pics connection show SERVICE [ACCOUNT] [--user NAME]
        pics connection set SERVICE [ACCOUNT] [--user NAME]
                            [--enabled yes|no] [--visibility NAME] [--share yes|no] [--album ID]
                            [--caption yes|no] [--caption-template TEXT] [--caption-rule NAME]
                            [--long-caption cut|refuse|thread]
                            [--quality original|large|medium|small] [--auto-enhance yes|no] [--keep-position yes|no]

        `set` changes only what is given; an empty text resets a choice. Waiting posts get their text by the new choices.
        ACCOUNT is its name, needed when several of a service are connected; its ID from `list` replaces both.

          --user NAME   whose account it is, when there are several users; else admin's
        """
    static let options = AccountChoices.options.union(["user"])
    static let wordLimit = 3

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let (verb, words) = (arguments.words.first, arguments.words.dropFirst())
        guard verb == "list" && words.isEmpty || ["show", "set"].contains(verb) && !words.isEmpty else {
            throw misfit(arguments)
        }
        let configuration = try configuration(arguments)
        try await Runtime.with(configuration, name: "pics connection", for: .credentials) { runtime in
            try runtime.takeRunningAddress()
            let user = try owner(arguments["user"], among: try await runtime.store.users())
            let records = try await runtime.store.connections(of: user.id)
            guard let word = words.first else {
                for record in records { Terminal.say(record.connection.line) }
                if records.isEmpty { Terminal.say("No account is connected.") }
                return
            }
            let account = try Account.chosen(
                word, words.dropFirst().first, among: records.map(\.connection), runtime.registry)
            guard let submitter = runtime.registry[account.service] else {
                throw CommandFailure("This Pics does not know the service \(account.service).")
            }
            if verb == "set" {
                let chosen = try AccountChoices.given(arguments, for: submitter)
                guard !chosen.isEmpty else { throw UsageError("Say what to change, such as --caption-template.") }
                try await runtime.accounts.choose(chosen, for: account.id, of: submitter, owner: user.id)
            }
            let record = try await runtime.store.connection(account.id, owner: user.id)
            let settings = try JSONValue(parsing: Array(record.settings.utf8))
            Terminal.say(account.line)
            for choice in AccountChoices.values(settings, of: submitter) {
                Terminal.say("  \(choice.name): \(text(choice.value))".printable)
            }
        }
        return 0
    }

    private static func text(_ value: JSONValue) -> String {
        if value.isNull { return "the service's own" }
        if let flag = value.bool { return flag ? "yes" : "no" }
        return value.string ?? String(decoding: value.serialized, as: UTF8.self)
    }
}

extension AccountChoices {
    /// The options that make a choice each, without `--`.
    static let options = Set(AccountChoice.allCases.map(\.option))

    /// Reads the choices that the options of a command make. An empty text takes an earlier choice back.
    static func given(_ arguments: Arguments, for submitter: any Submitter) throws(UsageError) -> JSONObject {
        var chosen = JSONObject()
        for choice in AccountChoice.allCases {
            guard let text = arguments[choice.option] else { continue }
            chosen[choice.name] =
                switch (choice.kind, text) {
                case (_, ""): .null
                case (.flag, "yes"): true
                case (.flag, "no"): false
                case (.flag, _): throw UsageError("--\(choice.option) is yes or no, not \(text).")
                default: .string(text)
                }
        }
        do throws(Mistake) {
            return try checked(chosen, for: submitter)
        } catch {
            throw UsageError("--\(error.name.replacing("_", with: "-")): \(error.sentence)")
        }
    }
}

extension Account {
    /// For a list at the terminal.
    var line: String { "\(id)  \(service)  \(account)  \(state.rawValue)".printable }

    /// The account that is meant by an ID, or by a service and, if there are several, a name.
    static func chosen(
        _ word: String, _ name: String?, among accounts: [Account], _ registry: Registry
    ) throws -> Account {
        if let account = accounts.first(where: { $0.id.description == word.lowercased() }) { return account }
        guard let service = registry[word]?.description.id else {
            throw UsageError("There is no service and no account \(word). `pics connection list` lists the accounts.")
        }
        let found = accounts.filter { $0.service == service && (name == nil || $0.account == name) }
        guard let account = found.first else {
            throw CommandFailure("No such account is connected. `pics connection list` lists the accounts.")
        }
        guard found.count == 1 else {
            throw CommandFailure(
                "There are several: \(found.map(\.account).joined(separator: ", ")). Name one.".printable)
        }
        return account
    }
}

extension Runtime {
    /// Lets links begin with the address of the running Pics when the settings name none: texts that wait may get one.
    func takeRunningAddress() throws {
        guard !addresses.isConfigured else { return }
        if let base = try Client.localBase(configuration) { addresses.setBase(base) }
    }
}
