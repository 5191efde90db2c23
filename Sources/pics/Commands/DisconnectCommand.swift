import Actions
import Domain
import Store
import Submitters

/// `pics disconnect`: takes an account apart again.
enum DisconnectCommand: Command {
    static let name = "disconnect"
    static let summary = "Disconnects an account and deletes its credentials."
    static let help = """
        pics disconnect                          lists the accounts
        pics disconnect SERVICE [ACCOUNT] [--user NAME]
        pics disconnect ID [--user NAME]

        Deletes the account's credentials, revokes them at the service if it allows that, and cancels waiting posts.
        Published posts stay. ACCOUNT is its name, needed when several of a service are connected.

          --user NAME   whose account it is, when there are several users; else admin's
        """
    static let options: Set<String> = ["user"]
    static let wordLimit = 2

    static func run(_ arguments: Arguments) async throws -> Int32 {
        try await Runtime.with(try configuration(arguments), name: "pics disconnect", for: .credentials) { runtime in
            let user = try owner(arguments["user"], among: try await runtime.store.users())
            let accounts = try await runtime.store.connections(of: user.id).map(\.connection)
            guard let word = arguments.words.first else {
                for account in accounts { Terminal.say(account.line) }
                if accounts.isEmpty { Terminal.say("No account is connected.") }
                return
            }
            let account = try Account.chosen(
                word, arguments.words.dropFirst().first, among: accounts, runtime.registry)
            let ended = try await runtime.accounts.disconnect(account.id, owner: user.id)
            Terminal.say("disconnected \(account.service) \(account.account) of \(user.name)".printable)
            if ended.cancelled > 0 { Terminal.say("\(ended.cancelled) submissions were cancelled") }
            if case .failed(let problem) = ended.revocation {
                Terminal.say("The service could not be told: \(problem.text) Take the access back in its own settings.")
            }
        }
        return 0
    }
}

/// Whose account a command is about: of whom `--user` names, else admin's, else of the only user there is.
func owner(_ name: String?, among users: [User]) throws(CommandFailure) -> User {
    if let user = users.first(where: { $0.name == name ?? "admin" }) { return user }
    if name == nil, users.count == 1 { return users[0] }
    guard let name else {
        throw CommandFailure("Whose account is it? Name a user with --user; `pics user list` shows all.")
    }
    throw CommandFailure("There is no user \(name). `pics user list` shows all.")
}
