import Postgres

/// What the checks of second factors refuse.
enum SignInConstraints {
    /// On the rows of `prepare`.
    static let refused = [
        Refused("second_factors_last_step_natural", "UPDATE second_factors SET last_step = -1"),
        Refused("recovery_codes_hash_form", "UPDATE recovery_codes SET hash = '\\x00'"),
    ]

    /// Adds a row of each table.
    static func prepare(_ database: Database) async throws {
        try await database.change(
            "INSERT INTO second_factors (user_id, sealed, last_step) SELECT id, '', 0 FROM users LIMIT 1")
        try await database.change(
            "INSERT INTO recovery_codes (user_id, hash) SELECT user_id, sha256('a') FROM second_factors")
    }
}
