/// `pics migrate`: brings the database up to date and nothing else.
enum MigrateCommand: Command {
    static let name = "migrate"
    static let summary = "Brings the database up to date."
    static let help = """
        pics migrate

        Applies pending migrations under a lock, each in its own transaction. `pics serve` and `pics work` do it too.
        """

    static func run(_ arguments: Arguments) async throws -> Int32 {
        try await Runtime.with(try configuration(arguments), name: "pics migrate") { _ in
            print("the database is up to date")
        }
        return 0
    }
}
