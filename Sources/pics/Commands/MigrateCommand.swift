import Settings

/// `pics migrate`: brings the database up to date and nothing else.
enum MigrateCommand: Command {
    static let name = "migrate"
    static let summary = "Brings the database up to date."
    static let help = """
        pics migrate

        Applies pending migrations under a lock, each in its own transaction. `pics serve` and `pics work` do the same;
        no other command does. The previous release keeps working during and after it.
        Without database_url it creates the data folder if there is none.
        """

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        let isElsewhere = configuration[PicsSettings.databaseURL] != nil
        try await OpenDatabase.with(
            configuration, name: "pics migrate", for: isElsewhere ? .database : .beginning, schema: .migrated
        ) { _ in
            Terminal.say("the database is up to date")
        }
        return 0
    }
}
