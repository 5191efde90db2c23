import Settings

/// `pics settings`: the settings as they are read, or the generated file.
enum SettingsCommand: Command {
    static let name = "settings"
    static let summary = "Shows every setting, its value and where that comes from."
    static let help = """
        pics settings            Shows every setting, its value and where that comes from; secrets are masked.
        pics settings --file     Prints a settings file with every setting at its default: config/pics.conf.
        """
    static let flags: Set<String> = ["file"]

    static func run(_ arguments: Arguments) async throws -> Int32 {
        if arguments.flags.contains("file") {
            print(generateConfigurationFile(PicsSettings.sections, prefix: PicsSettings.prefix), terminator: "")
        } else {
            print(try configuration(arguments).table(), terminator: "")
        }
        return 0
    }
}
