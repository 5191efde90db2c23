import Postgres

/// What the checks of mail refuse.
enum MailConstraints {
    /// On the rows of `prepare`.
    static let refused = [
        Refused("mail_addresses_address_short", "UPDATE mail_addresses SET address = repeat('a', 255)"),
        Refused("mail_addresses_language_is_tag", "UPDATE mail_addresses SET language = 'E'"),
        Refused("mail_addresses_kinds_known", "UPDATE mail_addresses SET kinds = '{all}'"),
        Refused("mail_addresses_digest_known", "UPDATE mail_addresses SET digest = 'hourly', next_digest_at = now()"),
        Refused("mail_addresses_digest_due", "UPDATE mail_addresses SET digest = 'daily'"),
        Refused("mail_addresses_token_form", "UPDATE mail_addresses SET token_hash = '\\x00', token_ends_at = now()"),
        Refused("mail_addresses_token_ends", "UPDATE mail_addresses SET token_hash = sha256('a')"),
        Refused("mail_addresses_problem_short", "UPDATE mail_addresses SET problem = repeat('a', 1025)"),
        Refused("mail_confirmations_hash_form", "UPDATE mail_confirmations SET address_hash = '\\x00'"),
        Refused("mails_address_short", "UPDATE mails SET address = ''"),
        Refused("mails_kind_known", "UPDATE mails SET kind = 'all', subject_id = id"),
        Refused("mails_subject_of_kind", "UPDATE mails SET subject_id = id"),
        Refused("mails_language_is_tag", "UPDATE mails SET language = 'E'"),
        Refused("mails_failures_natural", "UPDATE mails SET failures = -1"),
        Refused("mails_lease_ends", "UPDATE mails SET lease_id = id"),
        Refused("password_resets_hash_form", "UPDATE password_resets SET hash = '\\x00'"),
        Refused("invitations_mail_hash_form", "UPDATE invitations SET mail_hash = '\\x00'"),
    ]

    /// Adds a row of each table.
    static func prepare(_ database: Database) async throws {
        try await database.change(
            """
            INSERT INTO mail_addresses (user_id, address, language, kinds)
            SELECT id, 'alice@example.org', 'en', '{posts}' FROM users LIMIT 1
            """)
        try await database.change(
            """
            INSERT INTO mail_confirmations (id, user_id, address_hash)
            SELECT id, id, sha256('a') FROM users LIMIT 1
            """)
        try await database.change(
            """
            INSERT INTO mails (id, user_id, address, kind, language)
            SELECT id, id, 'alice@example.org', 'confirmation', 'en' FROM users LIMIT 1
            """)
        try await database.change(
            """
            INSERT INTO password_resets (mail_id, user_id, hash, ends_at)
            SELECT id, id, sha256('a'), now() FROM users LIMIT 1
            """)
    }
}
