import Crypto
import Glibc
import Logging
import Settings

/// The program: reads the command, does it, and tells mistakes in a sentence.
@main
enum Pics {
    static var commands: [any Command.Type] {
        [
            ServeCommand.self, WorkCommand.self, SubmitCommand.self, StatusCommand.self, QueueCommand.self,
            UserCommand.self,
            TokenCommand.self, ConnectCommand.self, ConnectionCommand.self, DisconnectCommand.self, DoctorCommand.self,
            AuditCommand.self, RotateKeyCommand.self, BlobsCommand.self, BackupCommand.self, RestoreCommand.self,
            MailCommand.self, ImportCommand.self,
            MigrateCommand.self, SettingsCommand.self,
        ]
    }

    static func main() async {
        // A peer that went away is an error of a write, not a signal.
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        CryptoLibrary.prepare()
        // Before the settings, which would take its variable for one of theirs.
        _ = Inheritance.current
        // Before another version lies at its place.
        _ = Program.path
        do {
            exit(try await run(Array(CommandLine.arguments.dropFirst())))
        } catch let error as UsageError {
            Terminal.complain("\(error)")
            exit(2)
        } catch let error as SettingsMistakes {
            Terminal.complain("The settings cannot be used:\n\(error)")
            exit(2)
        } catch {
            // Whoever runs Pics may know what its database and files say.
            Terminal.complain(logText(of: error))
            exit(1)
        }
    }

    /// Every connection is a descriptor; the usual soft limit of 1,024 is soon used up.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func run(_ arguments: [String]) async throws -> Int32 {
        guard let name = arguments.first else {
            Terminal.say(overview)
            return 2
        }
        let rest = Array(arguments.dropFirst())
        switch name {
        case "help", "--help", "-h":
            // For packages.
            if rest == ["--man"] || rest == ["--completion"] {
                print(rest == ["--man"] ? ManPage.text : ManPage.completion, terminator: "")
                return 0
            }
            if rest.count > 1 { throw UsageError.tooMany(rest[1], after: "COMMAND") }
            Terminal.say(try rest.first.map { try command($0).fullHelp } ?? overview)
            return 0
        case "version", "--version":
            if let word = rest.first { throw UsageError("\(word) is a word too many for `pics version`.") }
            Terminal.say("pics \(version)")
            return 0
        default:
            return try await command(name).start(rest)
        }
    }

    private static func command(_ name: String) throws(UsageError) -> any Command.Type {
        guard let command = commands.first(where: { $0.name == name }) else {
            throw UsageError("There is no command \(name). `pics help` shows what there is.")
        }
        return command
    }

    private static var overview: String {
        let lines = commands.map { "  \(Terminal.padded($0.name, to: 12))\($0.summary)" }
        return """
            Pics \(version): photos, stored and sent on.

            \(lines.joined(separator: "\n"))
              version     Prints the version.

            `pics help COMMAND` says more.

            Settings come from the file that --config FILE or PICS_CONFIG names, else from config/pics.conf in the folder that
            Pics is started in; then from variables, which win; then from options, which win over all. What the file calls
            log_level is PICS_LOG_LEVEL and --log-level. `pics settings` shows every setting and who decided it.
            """
    }
}
