import Domain
import Store

/// `pics user add NAME` and `pics user list`.
enum UserCommand: Command {
    static let name = "user"
    static let summary = "Adds and lists users."
    static let help = """
        pics user add NAME [--admin] [--time-zone Europe/Stockholm]
        pics user list

        A new user's photos are archived by the file service from the start.
        """
    static let options: Set<String> = ["time-zone"]
    static let flags: Set<String> = ["admin"]
    static let wordLimit = 2

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        switch (arguments.words.first, arguments.words.count) {
        case ("add", 2):
            let name = arguments.words[1]
            guard User.isValidName(name) else {
                throw UsageError("A user's name has 1 to 32 small letters, digits, - or _.")
            }
            try await Runtime.with(configuration, name: "pics user", for: .credentials) { runtime in
                do {
                    let user = try await Accounts(runtime).addUser(
                        name, isAdmin: arguments.flags.contains("admin"), timeZone: arguments["time-zone"] ?? "UTC")
                    Terminal.say("added user \(user.name)")
                } catch StoreError.conflict(constraint: "users_name_key") {
                    throw CommandFailure("There is a user \(name) already.")
                }
            }
        case ("list", 1):
            try await OpenDatabase.with(configuration, name: "pics user") { store in
                for user in try await store.users() { Terminal.say(user.name + (user.isAdmin ? "  admin" : "")) }
            }
        default:
            throw misfit(arguments)
        }
        return 0
    }
}
