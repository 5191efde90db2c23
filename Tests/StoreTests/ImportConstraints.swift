/// What the checks of imports refuse.
enum ImportConstraints {
    static let refused = [
        Refused("imports_source_known", run(source: "'disk'")),
        Refused("imports_state_known", run(state: "'paused'")),
        Refused("imports_name_short", run(name: "''")),
        Refused("imports_counts_natural", run(found: -1)),
        Refused("imports_ended", run(state: "'done'")),
        Refused("imports_problem_short", run(state: "'failed'", problem: "''", end: "now()")),
        Refused("imports_problem_fails", run(problem: "'quota'")),
        Refused("import_archives_place_natural", of("import_archives (import_id, place, sha256)", "-1, sha256('a')")),
        Refused("import_archives_sha256_form", of("import_archives (import_id, place, sha256)", "0, '\\x00'")),
        Refused(
            "import_failures_file_short",
            of("import_failures (import_id, place, file, problem)", "0, repeat('a', 1101), 'quota'")),
        Refused("import_failures_problem_short", of("import_failures (import_id, place, file, problem)", "0, 'a', ''")),
        Refused(
            "imported_items_key_form",
            """
            INSERT INTO imported_items (owner_id, key, photo_id, import_id)
            SELECT owner_id, '\\x00', id, id FROM photos
            """),
    ]

    /// An import that is inserted with these values.
    private static func run(
        source: String = "'folder'", state: String = "'waiting'", name: String = "'a.zip'", found: Int = 0,
        problem: String = "NULL", end: String = "NULL"
    ) -> String {
        """
        INSERT INTO imports (id, owner_id, source, state, name, found, problem, ended_at)
        SELECT gen_random_uuid(), id, \(source), \(state), \(name), \(found), \(problem), \(end) FROM users LIMIT 1
        """
    }

    /// A row of another table with an import.
    private static func of(_ columns: String, _ values: String) -> String {
        "WITH run AS (\(run()) RETURNING id) INSERT INTO \(columns) SELECT id, \(values) FROM run"
    }
}
