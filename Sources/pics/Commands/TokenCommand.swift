import Actions
import Crypto
import Domain
import FoundationEssentials
import HTTP
import Settings
import Store

/// `pics token create|list|revoke`.
enum TokenCommand: Command {
    static let name = "token"
    static let summary = "Creates, lists and revokes tokens."
    static let help = """
        pics token create USER [--scopes read,write] [--label phone] [--days 90]
        pics token list [USER]
        pics token revoke ID

        Scopes: read, write (which includes read), metrics (which reads /metrics alone), admin (which includes all).
        A token is printed once; Pics stores only its hash. Without --days it has no end.
        """
    static let options: Set<String> = ["scopes", "label", "days"]
    static let wordLimit = 2

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        switch (arguments.words.first, arguments.words.count) {
        case ("create", 2):
            let scopes = try (arguments["scopes"] ?? "read,write").split(separator: ",").map { name in
                guard let scope = Scope(rawValue: String(name)) else {
                    throw UsageError("There is no scope \(name). There are read, write, admin and metrics.")
                }
                return scope
            }
            let days = try arguments["days"].map { text in
                guard let days = Int(text), 1...3650 ~= days else {
                    throw UsageError("--days is a number from 1 to 3650.")
                }
                return days
            }
            try await OpenDatabase.with(configuration, name: "pics token") { store in
                let user = try await user(arguments.words[1], in: store)
                let limit = configuration[PicsSettings.tokensPerUser]
                do {
                    let token = try await TokenActions(store: store, limit: limit).issue(
                        to: user.id, named: arguments["label"] ?? "terminal", scopes: scopes,
                        life: days.map { .seconds($0 * 86_400) })
                    Terminal.say(token.reveal())
                } catch ActionError.tooManyTokens {
                    throw CommandFailure(
                        "\(user.name) has \(limit) tokens, counting those revoked in the last 24 hours; see tokens_per_user. "
                            + "Nothing was changed.")
                }
            }
        case ("list", 1), ("list", 2):
            try await OpenDatabase.with(configuration, name: "pics token") { store in
                let user = arguments.words.count == 2 ? try await user(arguments.words[1], in: store) : nil
                for token in try await store.tokens(of: user?.id) { Terminal.say(line(token)) }
            }
        case ("revoke", 2):
            guard let id = TokenID(arguments.words[1]) else { throw UsageError("`pics token list` shows the ids.") }
            try await OpenDatabase.with(configuration, name: "pics token") { store in
                do {
                    try await store.revokeToken(id)
                } catch StoreError.notFound {
                    throw CommandFailure("There is no such token, or it was revoked already.")
                }
                Terminal.say("revoked \(id)")
            }
        default:
            throw misfit(arguments)
        }
        return 0
    }

    private static func user(_ name: String, in store: PicsStore) async throws -> User {
        do {
            return try await store.user(named: name)
        } catch StoreError.notFound {
            throw CommandFailure("There is no user \(name). `pics user add \(name)` adds one.")
        }
    }

    private static func line(_ token: TokenRecord) -> String {
        let used = token.lastUsedAt.map { "used \(Timestamp($0))" } ?? "never used"
        let end = token.expiresAt.map { ", \($0 > Date() ? "ends" : "ended") \(Timestamp($0))" } ?? ""
        let state = token.revokedAt == nil ? used + end : "revoked"
        let scopes = token.scopes.joined(separator: ",")
        return "\(token.id)  \(token.user)  \(scopes)  \(token.name.printable)  \(state)"
    }
}
