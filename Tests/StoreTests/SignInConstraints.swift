import Postgres

/// What the checks of second factors, passkeys and identities refuse.
enum SignInConstraints {
    /// On the rows of `prepare`.
    static let refused = [
        Refused("second_factors_last_step_natural", "UPDATE second_factors SET last_step = -1"),
        Refused("recovery_codes_hash_form", "UPDATE recovery_codes SET hash = '\\x00'"),
        Refused("passkeys_credential_id_short", "UPDATE passkeys SET credential_id = ''"),
        Refused("passkeys_public_key_short", "UPDATE passkeys SET public_key = ''"),
        Refused("passkeys_sign_count_range", "UPDATE passkeys SET sign_count = 4294967296"),
        Refused("passkeys_name_short", "UPDATE passkeys SET name = repeat('a', 65)"),
        Refused("identities_issuer_short", "UPDATE identities SET issuer = ''"),
        Refused("identities_subject_short", "UPDATE identities SET subject = repeat('a', 256)"),
        Refused("identities_label_short", "UPDATE identities SET label = repeat('a', 255)"),
        Refused("spent_challenges_hash_form", "UPDATE spent_challenges SET hash = ''"),
    ]

    /// Adds a row of each table.
    static func prepare(_ database: Database) async throws {
        try await database.change(
            "INSERT INTO second_factors (user_id, sealed, last_step) SELECT id, '', 0 FROM users LIMIT 1")
        try await database.change(
            "INSERT INTO recovery_codes (user_id, hash) SELECT user_id, sha256('a') FROM second_factors")
        try await database.change(
            """
            INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, name)
            SELECT gen_random_uuid(), id, 'a', 'a', 0, false, 'a' FROM users LIMIT 1
            """)
        try await database.change(
            """
            INSERT INTO identities (id, user_id, issuer, subject, label)
            SELECT gen_random_uuid(), id, 'https://id.example', '1', '' FROM users LIMIT 1
            """)
        try await database.change("INSERT INTO spent_challenges (hash) VALUES (sha256('a'))")
    }
}
