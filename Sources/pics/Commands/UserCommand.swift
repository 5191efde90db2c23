import Actions
import Crypto
import Domain
import FoundationEssentials
import Settings
import Store
internal import System
import Web

/// `pics user add|invite|passwd|second-factor|admin|quota|delete|list`.
enum UserCommand: Command {
    static let name = "user"
    static let summary = "Adds, invites, deletes and lists users; sets passwords, quotas and admins."
    static let help = """
        pics user add NAME [--admin] [--time-zone Europe/Stockholm]
        pics user invite [NAME] [--admin] [--mail ADDRESS]
        pics user passwd NAME
        pics user second-factor NAME off
        pics user admin NAME yes|no
        pics user quota NAME [BYTES|none|default]
        pics user delete NAME
        pics user list

        A new user's photos are archived by the file service from the start. `invite` prints a link for one new user,
        valid for a week; without NAME they choose their own. With --mail it is mailed,
        too, by the Pics that runs. `passwd` asks for a password, or reads
        it from standard input, and ends all their sessions. Without a password a user cannot sign in with a browser.
        `second-factor NAME off` asks them for no code any more, such as when they have lost their phone.
        An admin may invite people and make admins and admin tokens. `admin NAME no` revokes that, with their admin tokens;
        one admin always stays. `quota` shows or sets how much a user may store: a number such as 20GiB, `none` for no limit,
        `default` for storage_quota. Stored photos stay. `delete` deletes a user with all photos; on a terminal it asks for
        the name again. A long deletion continues while Pics runs.
        """
    static let options: Set<String> = ["time-zone", "mail"]
    static let flags: Set<String> = ["admin"]
    static let wordLimit = 3

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        switch (arguments.words.first, arguments.words.count) {
        case ("add", 2):
            let name = arguments.words[1]
            guard User.isValidName(name) else {
                throw UsageError("A user name has 1 to 32 lowercase letters, digits, - or _.")
            }
            let zoneName = arguments["time-zone"] ?? "UTC"
            guard let zone = Zone(named: zoneName) else {
                throw UsageError("There is no time zone \(zoneName).")
            }
            try await Runtime.with(configuration, name: "pics user", for: .credentials) { runtime in
                do {
                    let user = try await runtime.users.add(
                        name, isAdmin: arguments.flags.contains("admin"), timeZone: zone)
                    Terminal.say("added user \(user.name)")
                } catch ActionError.nameTaken {
                    throw CommandFailure("The user name \(name) is taken.")
                }
            }
        case ("invite", 1), ("invite", 2):
            let name = arguments.words.dropFirst().first
            guard name.map(User.isValidName) ?? true else {
                throw UsageError("A user name has 1 to 32 lowercase letters, digits, - or _.")
            }
            try await invite(name, isAdmin: arguments.flags.contains("admin"), mail: arguments["mail"], configuration)
        case ("passwd", 2):
            try await setPassword(of: arguments.words[1], configuration)
        case ("second-factor", 3) where arguments.words[2] == "off":
            try await removeSecondFactor(of: arguments.words[1], configuration)
        case ("admin", 3) where ["yes", "no"].contains(arguments.words[2]):
            try await setAdmin(arguments.words[2] == "yes", of: arguments.words[1], configuration)
        case ("quota", 2), ("quota", 3):
            try await quota(
                of: arguments.words[1], arguments.words.count == 3 ? arguments.words[2] : nil, configuration)
        case ("delete", 2):
            try await delete(arguments.words[1], configuration)
        case ("list", 1):
            try await OpenDatabase.with(configuration, name: "pics user") { store in
                for person in try await store.userRecords(issuer: configuration[PicsSettings.openIDIssuer]?.text) {
                    let facts =
                        (person.user.isAdmin ? ["admin"] : []) + (person.canSignIn ? [] : ["no password"])
                        + (person.hasSecondFactor ? ["two-factor sign-in"] : [])
                    Terminal.say(([person.user.name] + facts).joined(separator: "  "))
                }
            }
        default:
            throw misfit(arguments)
        }
        return 0
    }

    private static func invite(
        _ name: String?, isAdmin: Bool, mail entered: String?, _ configuration: Configuration
    ) async throws {
        let recipient = entered.flatMap { MailActions.address($0) }
        if let entered, recipient == nil {
            throw UsageError("\(entered) is no mail address such as alice@example.com.")
        }
        let base = try base(of: configuration)
        try await Runtime.with(configuration, name: "pics user", for: .credentials) { runtime in
            guard recipient == nil || runtime.mail != nil else {
                throw CommandFailure("mail_server is not set: Pics sends no mail. Nobody was invited.")
            }
            do {
                let id = InvitationID.make()
                let token = try await runtime.users.invite(
                    name, isAdmin: isAdmin, by: nil, age: configuration[PicsSettings.invitationAge], id: id)
                if let recipient { try await runtime.mailActions?.invite(id, recipient, language: "en") }
                Terminal.say(Invitation.link(token, base: base))
            } catch ActionError.nameTaken(let name) {
                throw CommandFailure("The user name \(name) is taken. `pics user passwd \(name)` sets a password.")
            }
        }
    }

    /// How links begin: as the settings say, else with the address of the running Pics.
    private static func base(of configuration: Configuration) throws -> String {
        if let base = configuration.baseURL?.text { return base }
        guard let base = try Client.localBase(configuration) else {
            throw CommandFailure("Nobody knows how this Pics is reached. Set base_url, or start it first.")
        }
        Terminal.complain("base_url is not set: the link opens on this machine and may lead nowhere on others.")
        return base
    }

    private static func setAdmin(_ isAdmin: Bool, of name: String, _ configuration: Configuration) async throws {
        try await OpenDatabase.with(configuration, name: "pics user") { store in
            guard let user = try await store.password(ofUserNamed: name)?.user else {
                throw CommandFailure("There is no user \(name). `pics user add \(name)` adds one.")
            }
            do throws(StoreError) {
                try await store.setAdmin(isAdmin, of: user.id)
            } catch {
                guard error == .changed else { throw error }
                throw CommandFailure("\(name) is the last admin. Make another one first. Nothing was changed.")
            }
            Terminal.say(isAdmin ? "\(name) is an admin" : "\(name) is no admin; their admin tokens are revoked")
        }
    }

    private static func removeSecondFactor(of name: String, _ configuration: Configuration) async throws {
        try await OpenDatabase.with(configuration, name: "pics user") { store in
            guard let user = try await store.password(ofUserNamed: name)?.user else {
                throw CommandFailure("There is no user \(name). Nothing was changed.")
            }
            do throws(StoreError) {
                try await store.deleteSecondFactor(of: user.id)
            } catch {
                guard error == .notFound else { throw error }
                throw CommandFailure("\(name) has no second factor. Nothing was changed.")
            }
            Terminal.say("\(name) signs in with the password alone")
        }
    }

    private static func quota(of name: String, _ wish: String?, _ configuration: Configuration) async throws {
        let bytes: Int64?
        switch wish {
        case nil, "default": bytes = nil
        case "none": bytes = 0
        case let text?:
            guard let count = ByteCount(setting: text), count.bytes > 0 else {
                throw UsageError("\(text) is no number of bytes such as 20GiB, and neither none nor default.")
            }
            bytes = Int64(count.bytes)
        }
        try await OpenDatabase.with(configuration, name: "pics user") { store in
            guard let user = try await store.password(ofUserNamed: name)?.user else {
                throw CommandFailure("There is no user \(name). `pics user add \(name)` adds one.")
            }
            if wish != nil { try await store.setStorageQuota(of: user.id, to: bytes) }
            let standing = try await store.storage(of: user.id)
            let quota = standing.quota(usual: Int64(configuration[PicsSettings.storageQuota].bytes))
            let may = quota.map { "of \(ByteCount(bytes: Int($0)).settingText)" } ?? "without a limit"
            Terminal.say(
                "\(name) has \(standing.stored) bytes \(may)\(standing.ownQuota == nil ? " (storage_quota)" : "")")
        }
    }

    private static func delete(_ name: String, _ configuration: Configuration) async throws {
        try await Runtime.with(configuration, name: "pics user", for: .credentials) { runtime in
            guard let user = try await runtime.store.password(ofUserNamed: name)?.user else {
                throw CommandFailure("There is no user \(name). Nothing was changed.")
            }
            if Terminal.isInteractive {
                let again = Terminal.ask(
                    "All photos of \(name) go for ever. The name again", default: nil, isSecret: false)
                guard again == name else { throw CommandFailure("The two are not the same. Nothing was changed.") }
            }
            do { try await runtime.users.delete(user) } catch ActionError.lastAdmin {
                throw CommandFailure("\(name) is the last admin. Make another one first. Nothing was changed.")
            }
            Terminal.say("deleted user \(name)")
        }
    }

    private static func setPassword(of name: String, _ configuration: Configuration) async throws {
        try await OpenDatabase.with(configuration, name: "pics user") { store in
            guard let user = try await store.password(ofUserNamed: name)?.user else {
                throw CommandFailure("There is no user \(name). `pics user add \(name)` adds one.")
            }
            let entered = Terminal.ask("Password for \(name)", default: nil, isSecret: true) ?? ""
            guard let password = Password(entered), password.isLongEnough else {
                throw CommandFailure(
                    "A password has at least \(Password.minimumCount) characters, and at most "
                        + "\(Password.maximumBytes) bytes. Nothing was changed.")
            }
            if Terminal.isInteractive {
                guard Terminal.ask("The same again", default: nil, isSecret: true) == entered else {
                    throw CommandFailure("The two are not the same. Nothing was changed.")
                }
            }
            try await store.changePassword(of: user.id, to: try PasswordHash(of: password.text).text, keeping: nil)
            Terminal.say("\(name) can sign in with the new password; all their browsers were signed out")
        }
    }
}
