import Domain
import FoundationEssentials
import Settings

/// One command of the program.
protocol Command {
    static var name: String { get }
    /// One line for the overview.
    static var summary: String { get }
    static var help: String { get }
    /// Options of its own that take a value.
    static var options: Set<String> { get }
    static var flags: Set<String> { get }
    /// How many words may follow its name.
    static var wordLimit: Int { get }
    /// Who does it, for the audit log.
    static var initiator: Initiator { get }
    /// Does it; returns the exit status.
    static func run(_ arguments: Arguments) async throws -> Int32
}

extension Command {
    static var options: Set<String> { [] }
    static var flags: Set<String> { [] }
    static var wordLimit: Int { 0 }
    static var initiator: Initiator { Initiator(.terminal) }

    /// Reads what follows the name on the command line and does it, or prints the help that was asked for.
    static func start(_ line: [String]) async throws -> Int32 {
        let arguments = try Arguments(
            line, options: options.union(PicsSettings.options), flags: flags.union(["help"]))
        if arguments.flags.contains("help") {
            Terminal.say(fullHelp)
            return 0
        }
        guard arguments.words.count <= wordLimit else {
            throw UsageError.tooMany(arguments.words[wordLimit], after: name)
        }
        return try await Initiator.$current.withValue(initiator) { try await run(arguments) }
    }

    /// Its help, and what holds for every command.
    static var fullHelp: String {
        """
        \(help)

        Every command takes
          --config FILE   the settings file; else the one PICS_CONFIG names, else config/pics.conf if there is one
          --SETTING …     any setting, such as --data-dir data or --log-level debug; `pics settings` shows them all
        Others on this machine can see a command line: secrets belong into files or variables.
        """
    }

    static func configuration(_ arguments: Arguments) throws -> Configuration {
        try PicsSettings.read(arguments, environment: ProcessInfo.processInfo.environment)
    }

    /// The mistake of words that have none of the forms in `help`.
    static func misfit(_ arguments: Arguments) -> UsageError {
        let line = (["pics", name] + arguments.words).joined(separator: " ")
        return UsageError("`\(line)` is none of these:\n\n\(help)")
    }
}

extension UsageError {
    /// A word that a command has no use for.
    static func tooMany(_ word: String, after command: String) -> UsageError {
        UsageError("\(word) is a word too many. `pics \(command) --help` shows what there is.")
    }
}
