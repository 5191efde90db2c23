import Foundation
import Settings

/// The program: reads the command, does it, and tells mistakes in a sentence.
@main
enum Pics {
    static var commands: [any Command.Type] {
        [
            ServeCommand.self, WorkCommand.self, SubmitCommand.self, StatusCommand.self, UserCommand.self,
            TokenCommand.self,
            ConnectCommand.self, MigrateCommand.self, SettingsCommand.self,
        ]
    }

    static func main() async {
        // A peer that went away is an error of a write, not a signal.
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        do {
            exit(try await run(Array(CommandLine.arguments.dropFirst())))
        } catch let error as UsageError {
            complain("\(error)")
            exit(2)
        } catch let error as SettingsMistakes {
            complain("The settings cannot be used:\n\(error)")
            exit(2)
        } catch {
            complain("\(error)")
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
        guard let name = arguments.first, !["help", "--help", "-h"].contains(name) else {
            print(overview)
            return arguments.isEmpty ? 2 : 0
        }
        if name == "version" || name == "--version" {
            print("pics \(version)")
            return 0
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            throw UsageError("There is no command \(name). `pics help` shows what there is.")
        }
        let rest = Array(arguments.dropFirst())
        if rest.contains("--help") || rest.contains("-h") {
            print(command.help)
            return 0
        }
        let parsed = try Arguments(
            rest, options: command.options.union(PicsSettings.options), flags: command.flags)
        return try await command.run(parsed)
    }

    private static var overview: String {
        let lines = commands.map { "  \($0.name.padding(toLength: 10, withPad: " ", startingAt: 0))\($0.summary)" }
        return """
            Pics \(version): photos, stored and sent on.

            \(lines.joined(separator: "\n"))
              version   Prints the version.

            `pics COMMAND --help` says more. Every setting of config/pics.conf is an option too: --log-level debug.
            """
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("pics: \(message)\n".utf8))
    }
}

/// One command of the program.
protocol Command {
    static var name: String { get }
    /// One line for the overview.
    static var summary: String { get }
    static var help: String { get }
    /// Options of its own that take a value.
    static var options: Set<String> { get }
    static var flags: Set<String> { get }
    /// Does it; returns the exit status.
    static func run(_ arguments: Arguments) async throws -> Int32
}

extension Command {
    static var options: Set<String> { [] }
    static var flags: Set<String> { [] }

    static func configuration(_ arguments: Arguments) throws -> Configuration {
        try PicsSettings.read(arguments, environment: ProcessInfo.processInfo.environment)
    }
}
