import Domain
import Postgres
import Store
import Testing

/// A change that one named CHECK refuses.
struct Refused: Sendable {
    let constraint: String
    let sql: String

    init(_ constraint: String, _ sql: String) {
        self.constraint = constraint
        self.sql = sql
    }
}

/// An app that is inserted with these values.
private func app(
    kind: String = "'site'", secret: String = "NULL", name: String = "'App'", redirects: String = "'{}'"
) -> String {
    """
    INSERT INTO apps (id, client_id, kind, secret_hash, name, redirect_uris, scopes)
    VALUES (gen_random_uuid(), 'a', \(kind), \(secret), \(name), \(redirects), '')
    """
}

/// Somebody who has responded, inserted with these values.
private func author(
    key: String = "'k'", name: String = "'Ann'", picture: String = "NULL", version: String = "NULL"
) -> String {
    """
    INSERT INTO response_authors (id, source, key, name, picture, picture_version)
    VALUES (gen_random_uuid(), 'web', \(key), \(name), \(picture), \(version))
    """
}

/// A post of a timeline, inserted with this text.
private func timelinePost(text: String = "''") -> String {
    """
    WITH author AS (\(author()) RETURNING id)
    INSERT INTO timeline_posts (id, connection_id, owner_id, key, remote_id, author_id, text, said_at)
    SELECT gen_random_uuid(), c.id, c.owner_id, 'k', '1', author.id, \(text), now() FROM connections c, author
    """
}

/// Something that is done with such a post.
private func interaction(kind: String = "favourite", text: String = "''", post: String = "post.id") -> String {
    """
    WITH author AS (\(author()) RETURNING id), post AS (
        INSERT INTO timeline_posts (id, connection_id, owner_id, key, remote_id, author_id, said_at)
        SELECT gen_random_uuid(), c.id, c.owner_id, 'k', '1', author.id, now() FROM connections c, author
        RETURNING id, connection_id, owner_id
    )
    INSERT INTO interactions (id, owner_id, connection_id, post_id, kind, text)
    SELECT gen_random_uuid(), post.owner_id, post.connection_id, \(post), '\(kind)', \(text) FROM post
    """
}

/// A webmention that is inserted with these values.
private func webmention(source: String = "'s'", target: String = "'t'") -> String {
    """
    INSERT INTO webmentions (id, photo_id, source, target, host)
    SELECT gen_random_uuid(), id, \(source), \(target), 'h' FROM photos
    """
}

@Suite(.timeLimit(.minutes(5)))
struct ConstraintTests {
    private static let refused: [Refused] = [
        Refused(
            "submissions_thread_of_several", "UPDATE submissions SET thread = '[\"One post\"]'"),
        Refused(
            "thread_posts_place_behind_first",
            "INSERT INTO thread_posts (submission_id, place, remote_id) SELECT id, 1, '1' FROM submissions"),
        Refused(
            "thread_posts_remote_id_short",
            "INSERT INTO thread_posts (submission_id, place, remote_id) SELECT id, 2, '' FROM submissions"),
        Refused("users_name_form", "UPDATE users SET name = ''"),
        Refused("users_name_form", "UPDATE users SET name = 'Alice'"),
        Refused("users_name_form", "UPDATE users SET name = E'alice\\n'"),
        Refused("users_name_form", "UPDATE users SET name = repeat('a', 33)"),
        Refused("users_leave_before_forgotten", "UPDATE users SET forgotten_at = now()"),
        Refused("users_left_are_locked_out", "UPDATE users SET deleted_at = now(), has_gallery = true"),
        Refused("users_storage_quota_natural", "UPDATE users SET storage_quota = -1"),
        Refused("photos_album_short", "UPDATE photos SET album = ''"),
        Refused("photos_album_short", "UPDATE photos SET album = repeat('a', 101)"),
        Refused("users_password_form", "UPDATE users SET password = 'correct horse battery'"),
        Refused("sessions_hash_form", "UPDATE sessions SET hash = '\\x00'"),
        Refused("invitations_hash_form", "UPDATE invitations SET hash = '\\x00'"),
        Refused("invitations_user_name_form", "UPDATE invitations SET user_name = 'Alice'"),
        Refused("tokens_hash_form", "UPDATE tokens SET hash = '\\x00'"),
        Refused("tokens_scopes_known", "UPDATE tokens SET scopes = '{}'"),
        Refused("tokens_scopes_known", "UPDATE tokens SET scopes = '{read,root}'"),
        Refused("tokens_scopes_known", "UPDATE tokens SET scopes = ARRAY[NULL]"),
        Refused("tokens_scopes_known", "UPDATE tokens SET scopes = '{photos:all}'"),
        Refused(
            "uploads_focus_within",
            """
            INSERT INTO uploads (id, owner_id, protocol, expires_at, focus_x)
            SELECT gen_random_uuid(), id, 'ietf', now(), 2 FROM users
            """),
        Refused("photos_focus_within", "UPDATE photos SET focus_y = -1.5"),
        Refused(
            "markers_timeline_known",
            "INSERT INTO markers (user_id, timeline, last_read_id) SELECT id, 'public', '1' FROM users"),
        Refused(
            "markers_last_read_short",
            "INSERT INTO markers (user_id, timeline, last_read_id) SELECT id, 'home', '' FROM users"),
        Refused("apps_kind_known", app(kind: "'other'")),
        Refused("apps_secret_form", app(secret: "'\\x00'")),
        Refused("apps_name_length", app(name: "''")),
        Refused("apps_name_length", app(name: "repeat('a', 101)")),
        Refused("apps_redirect_count", app(redirects: "array_fill('https://a.test/'::text, ARRAY[21])")),
        Refused(
            "authorization_codes_hash_form",
            "INSERT INTO authorization_codes (hash, grant_id, redirect_uri) VALUES ('\\x00', gen_random_uuid(), '')"),
        Refused(
            "authorization_codes_challenge_form",
            """
            INSERT INTO authorization_codes (hash, grant_id, redirect_uri, challenge)
            VALUES (sha256(''), gen_random_uuid(), '', '\\x00')
            """),
        Refused(
            "refresh_tokens_hash_form",
            "INSERT INTO refresh_tokens (hash, grant_id) VALUES ('\\x00', gen_random_uuid())"),
        Refused(
            "outgoing_files_hash_form",
            "INSERT INTO outgoing_files VALUES ('\\x00', gen_random_uuid(), gen_random_uuid(), '\\x00', now())"),
        Refused("app_tokens_hash_form", "INSERT INTO app_tokens (hash, app_id) VALUES ('\\x00', gen_random_uuid())"),
        Refused("users_display_name_short", "UPDATE users SET display_name = ''"),
        Refused("users_display_name_short", "UPDATE users SET display_name = repeat('a', 101)"),
        Refused("users_about_short", "UPDATE users SET about = repeat('a', 501)"),
        Refused("users_links_few", "UPDATE users SET links = '{a,b,c,d,e,f}'"),
        Refused("users_links_few", "UPDATE users SET links = ARRAY[NULL]"),
        Refused("albums_name_short", "INSERT INTO albums (owner_id, name) SELECT id, '' FROM users"),
        Refused("albums_about_short", "INSERT INTO albums (owner_id, name, about) SELECT id, 'a', '' FROM users"),
        Refused(
            "albums_order_known", "INSERT INTO albums (owner_id, name, photo_order) SELECT id, 'a', 'size' FROM users"),
        Refused("users_signature_short", "UPDATE users SET signature = repeat('a', 101)"),
        Refused("installation_key_id_form", "INSERT INTO installation (id, key_id) VALUES (gen_random_uuid(), 'abc')"),
        Refused("installation_single", "INSERT INTO installation (is_only, id) VALUES (false, gen_random_uuid())"),
        Refused(
            "acme_accounts_directory",
            "INSERT INTO acme_accounts (directory, sealed) VALUES (repeat('a', 2049), '\\x00')"),
        Refused("certificates_whole", "INSERT INTO certificates (names, chain) VALUES ('a.test', 'chain')"),
        Refused("certificates_names", "INSERT INTO certificates (names) VALUES (repeat('a', 8193))"),
        Refused("blobs_bytes_positive", "UPDATE blobs SET bytes = 0"),
        Refused("blobs_fault_has_time", "UPDATE blobs SET fault = 'missing'"),
        Refused("blobs_sha256_form", "INSERT INTO blobs (sha256, bytes, media_type) VALUES ('\\x00', 1, 'image/png')"),
        Refused("photos_like_count_natural", "UPDATE photos SET like_count = -1"),
        Refused("photos_network_like_count_natural", "UPDATE photos SET network_like_count = -1"),
        Refused("submissions_network_likes_natural", "UPDATE submissions SET network_likes = -1"),
        Refused(
            "visitor_likes_visitor_form",
            "INSERT INTO visitor_likes (photo_id, visitor) SELECT id, '\\x00' FROM photos"),
        Refused(
            "renditions_placeholder_small",
            """
            INSERT INTO renditions (source_sha256, name, sha256, width, height, placeholder)
            SELECT sha256, 'small', sha256, 1, 1, '' FROM blobs
            """),
        Refused("photos_has_blob", "UPDATE photos SET sha256 = NULL"),
        Refused("photos_taken_offset_real", "UPDATE photos SET taken_offset = 841"),
        Refused("photos_taken_offset_real", "UPDATE photos SET taken_at = NULL, taken_offset = 60"),
        Refused("photos_size_natural", "UPDATE photos SET width = 0"),
        Refused("photos_photo_has_size", "UPDATE photos SET height = NULL"),
        Refused("photos_position_whole", "UPDATE photos SET longitude = NULL"),
        Refused("photos_position_on_earth", "UPDATE photos SET latitude = 90.1"),
        Refused("photos_position_on_earth", "UPDATE photos SET longitude = 'NaN'"),
        Refused("photos_video_facts_of_video", "UPDATE photos SET duration = 1"),
        Refused("photos_video_facts_of_video", "UPDATE photos SET plays_from_start = false"),
        Refused("photos_duration_natural", "UPDATE photos SET kind = 'video', duration = -1"),
        Refused("photos_duration_natural", "UPDATE photos SET kind = 'video', duration = 'NaN'"),
        Refused("photos_rotation_quarters", "UPDATE photos SET kind = 'video', rotation = 45"),
        Refused("photos_frame_rate_natural", "UPDATE photos SET kind = 'video', frame_rate = 0"),
        Refused("photos_recipe_is_object", "UPDATE photos SET recipe = '[]'"),
        Refused("photos_part_of_another", "UPDATE photos SET part_of = id, visibility = 'unlisted'"),
        Refused("photos_part_unlisted", "UPDATE photos SET part_of = gen_random_uuid(), visibility = 'public'"),
        Refused("photos_planned_private", "UPDATE photos SET planned_visibility = 'public'"),
        Refused(
            "photos_planned_post",
            "UPDATE photos SET visibility = 'private', planned_visibility = 'public', part_of = gen_random_uuid()"),
        Refused("photos_publish_at_planned", "UPDATE photos SET publish_at = now()"),
        Refused("photos_draft_planned", "UPDATE photos SET draft = '{}'"),
        Refused(
            "photos_draft_is_object",
            "UPDATE photos SET visibility = 'private', planned_visibility = 'public', draft = '[]'"),
        Refused("photos_content_warning_short", "UPDATE photos SET content_warning = ''"),
        Refused("photos_language_is_tag", "UPDATE photos SET language = 'en_US'"),
        Refused("photos_sources_some", "UPDATE photos SET sources = '{}'"),
        Refused(
            "companions_place_known",
            "INSERT INTO companions (photo_id, place, companion_id) SELECT id, 20, gen_random_uuid() FROM photos"),
        Refused(
            "companions_others", "INSERT INTO companions (photo_id, place, companion_id) SELECT id, 1, id FROM photos"),
        Refused("short_links_code_form", "UPDATE short_links SET code = 'abcdefg'"),
        Refused("short_links_code_form", "UPDATE short_links SET code = 'abcdefg0'"),
        Refused("visits_natural", "INSERT INTO visits (photo_id, day, people) SELECT id, now(), -1 FROM photos"),
        Refused("visits_natural", "INSERT INTO visits (photo_id, day, bots) SELECT id, now(), -1 FROM photos"),
        Refused("submissions_done_has_id", "UPDATE submissions SET state = 'done'"),
        Refused("submissions_edit_known", "UPDATE submissions SET edit = 'refused'"),
        Refused("submissions_running_is_told_by_jobs", "UPDATE submissions SET state = 'running'"),
        Refused("lanes_max_running_positive", "UPDATE lanes SET max_running = 0"),
        Refused("lanes_cap_whole", "UPDATE lanes SET cap = 1"),
        Refused("gates_cap_whole", "UPDATE gates SET cap_window = '1 s'"),
        Refused("jobs_priority_known", "UPDATE jobs SET priority = 2"),
        Refused("jobs_follow_up_changes", "UPDATE jobs SET follow_up = 'submit'"),
        Refused("jobs_running_is_leased", "UPDATE jobs SET state = 'running', slot = 0"),
        Refused("jobs_running_is_leased", "UPDATE jobs SET lease_until = now()"),
        Refused("jobs_running_has_slot", "UPDATE jobs SET state = 'running', lease_until = now()"),
        Refused("jobs_running_has_slot", "UPDATE jobs SET slot = 0"),
        Refused("response_authors_short", author(name: "repeat('a', 1025)")),
        Refused("response_authors_short", author(key: "repeat('a', 4097)")),
        Refused("response_authors_picture_small", author(picture: "''", version: "'a'")),
        Refused("response_authors_picture_versioned", author(picture: "'\\x00'")),
        Refused("response_authors_picture_versioned", author(version: "'a'")),
        Refused(
            "responses_short",
            """
            WITH author AS (\(author()) RETURNING id)
            INSERT INTO responses (id, photo_id, owner_id, author_id, kind, key, text)
            SELECT gen_random_uuid(), p.id, p.owner_id, author.id, 'comment', 'k', repeat('a', 65537) FROM photos p, author
            """),
        Refused(
            "responses_remote_id_short",
            """
            WITH author AS (\(author()) RETURNING id)
            INSERT INTO responses (id, photo_id, owner_id, author_id, kind, key, remote_id)
            SELECT gen_random_uuid(), p.id, p.owner_id, author.id, 'comment', 'k', repeat('a', 2049) FROM photos p, author
            """),
        Refused(
            "sent_webmentions_target_short",
            "INSERT INTO sent_webmentions (photo_id, target) SELECT id, repeat('a', 2049) FROM photos LIMIT 1"),
        Refused("timeline_posts_short", timelinePost(text: "repeat('a', 65537)")),
        Refused(
            "timeline_gaps_cursor_short",
            """
            INSERT INTO timeline_gaps (id, connection_id, owner_id, cursor, at)
            SELECT gen_random_uuid(), id, owner_id, repeat('a', 4097), now() FROM connections
            """),
        Refused("interactions_with_one", interaction(post: "NULL")),
        Refused("interactions_short", interaction(kind: "reply", text: "repeat('a', 65537)")),
        Refused("interactions_reply_has_text", interaction(kind: "reply", text: "''")),
        Refused("interactions_reply_has_text", interaction(kind: "repost", text: "'a'")),
        Refused("webmentions_source_short", webmention(source: "repeat('a', 2049)")),
        Refused("webmentions_target_short", webmention(target: "repeat('a', 2049)")),
        Refused("connections_picture_small", "UPDATE connections SET picture = '', picture_version = 'a'"),
        Refused(
            "connections_picture_small",
            "UPDATE connections SET picture = decode(repeat('00', 32769), 'hex'), picture_version = 'a'"),
        Refused("connections_picture_versioned", "UPDATE connections SET picture = '\\x00'"),
        Refused("connections_picture_versioned", "UPDATE connections SET picture_version = 'a'"),
        Refused("connections_picture_url_short", "UPDATE connections SET picture_url = ''"),
        Refused("connections_picture_url_short", "UPDATE connections SET picture_url = repeat('a', 2049)"),
        Refused("connections_disabled_is_forgotten", "UPDATE connections SET state = 'disabled'"),
        Refused("authorizations_state_form", "UPDATE authorizations SET state_hash = '\\x00'"),
        Refused("authorizations_browser_form", "UPDATE authorizations SET browser_hash = '\\x00'"),
        Refused("authorizations_claim_form", "UPDATE authorizations SET claim_hash = '\\x00'"),
        Refused("authorizations_taken_once", "UPDATE authorizations SET taken_at = now()"),
        Refused("authorizations_taken_once", "UPDATE authorizations SET sealed = NULL"),
        Refused("uploads_length_natural", "UPDATE uploads SET length = -1"),
        Refused("uploads_length_of_complete", "UPDATE uploads SET state = 'complete'"),
        Refused("uploads_sha256_form", "UPDATE uploads SET sha256 = '\\x00'"),
        Refused("webhooks_place_bounded", "UPDATE webhooks SET place = 11"),
        Refused("webhooks_url_form", "UPDATE webhooks SET url = 'ftp://example.org/'"),
        Refused("webhooks_state_known", "UPDATE webhooks SET state = 'off'"),
        Refused("webhooks_failures_begin", "UPDATE webhooks SET failures = 1"),
        Refused("push_keys_single", "INSERT INTO push_keys (is_only, sealed) VALUES (false, '')"),
        Refused("push_subscriptions_place_bounded", "UPDATE push_subscriptions SET place = 11"),
        Refused("push_subscriptions_endpoint_form", "UPDATE push_subscriptions SET endpoint = 'ftp://example.org/'"),
        Refused(
            "push_subscriptions_endpoint_form",
            "UPDATE push_subscriptions SET endpoint = 'https://a/' || repeat('a', 2048)"),
        Refused("push_subscriptions_public_key_form", "UPDATE push_subscriptions SET public_key = '\\x04'"),
        Refused("push_subscriptions_language_is_tag", "UPDATE push_subscriptions SET language = 'E'"),
        Refused("push_subscriptions_kinds_known", "UPDATE push_subscriptions SET kinds = '{all}'"),
        Refused("push_subscriptions_kinds_known", "UPDATE push_subscriptions SET kinds = ARRAY[NULL]"),
        Refused("push_subscriptions_state_known", "UPDATE push_subscriptions SET state = 'off'"),
        Refused("push_subscriptions_failures_begin", "UPDATE push_subscriptions SET failures = 1"),
        Refused(
            "push_messages_kind_known",
            "INSERT INTO push_messages (subscription_id, kind, subject_id) SELECT id, 'all', id FROM push_subscriptions"
        ),
    ]

    @Test func `every check refuses what it should`() async throws {
        try await withStore { bench in
            try await bench.post(to: [try await bench.connect()])
            _ = try await bench.store.addToken(
                of: bench.owner.id, hash: BlobID.random().bytes, name: "phone", scopes: [.read])
            try await bench.database.change(
                """
                INSERT INTO uploads (id, owner_id, protocol, expires_at)
                SELECT gen_random_uuid(), id, 'tus', now() FROM users LIMIT 1
                """)
            try await bench.database.change(
                """
                INSERT INTO authorizations (id, state_hash, user_id, service, sealed, created_at, expires_at)
                SELECT gen_random_uuid(), sha256('state'), id, 'mastodon', 'sealed', now(), now() FROM users LIMIT 1
                """)

            try await bench.database.change(
                """
                INSERT INTO sessions (id, user_id, hash, browser, address)
                SELECT gen_random_uuid(), id, sha256('a'), '', '' FROM users LIMIT 1
                """)
            try await bench.database.change(
                """
                INSERT INTO webhooks (id, owner_id, place, url, secret)
                SELECT gen_random_uuid(), id, 1, 'https://example.org/', '' FROM users LIMIT 1
                """)
            try await bench.database.change(
                """
                INSERT INTO push_subscriptions
                       (id, owner_id, session_id, place, endpoint, public_key, secret, language, kinds)
                SELECT gen_random_uuid(), user_id, id, 1, 'https://example.org/', decode(repeat('04', 65), 'hex'), '',
                       'en', '{posts}' FROM sessions LIMIT 1
                """)
            try await MailConstraints.prepare(bench.database)
            try await SignInConstraints.prepare(bench.database)
            try await bench.database.change(
                "INSERT INTO invitations (id, hash, expires_at) VALUES (gen_random_uuid(), sha256('a'), now())")

            let all =
                Self.refused + Self.refusedPostcards + MailConstraints.refused + NodeConstraints.refused
                + AuditConstraints.refused + ReportConstraints.refused + SignInConstraints.refused
                + ImportConstraints.refused
            for refused in all {
                let error = await #expect(throws: PostgresError.self, "\(refused.sql)") {
                    try await bench.database.change(refused.sql)
                }
                #expect(error?.sqlState == "23514", "\(refused.sql)")
                #expect(error?.constraint == refused.constraint, "\(refused.sql)")
            }

            let checks = try await bench.database.texts(
                """
                SELECT conname FROM pg_constraint
                 WHERE contype = 'c' AND connamespace = current_schema()::regnamespace
                """)
            #expect(Set(checks) == Set(all.map(\.constraint)))
        }
    }

    @Test func `the database refuses a second running job in the same slot`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            _ = try await bench.submission(to: connection)
            _ = try await bench.submission(to: connection)
            _ = try await bench.takeOne()

            let error = await #expect(throws: PostgresError.self) {
                try await bench.database.change(
                    "UPDATE jobs SET state = 'running', lease_until = now(), slot = 0 WHERE state = 'ready'")
            }

            #expect(error?.sqlState == "23505")
            #expect(error?.constraint == "jobs_running")
        }
    }

    @Test func `a name, a photo's account and a token's hash are there once`() async throws {
        try await withStore { bench in
            let hash = BlobID.random().bytes
            _ = try await bench.store.addToken(of: bench.owner.id, hash: hash, name: "phone", scopes: [.read])
            let connection = try await bench.connect()

            await #expect(throws: StoreError.conflict(constraint: "users_name_key")) {
                try await bench.store.addUser("alice")
            }
            await #expect(throws: StoreError.conflict(constraint: "tokens_hash_key")) {
                try await bench.store.addToken(of: bench.owner.id, hash: hash, name: "phone", scopes: [.read])
            }
            await #expect(throws: StoreError.conflict(constraint: "submissions_once")) {
                try await bench.post(to: [connection, connection])
            }
        }
    }

    @Test func `a user has so many accounts, and may connect each of them again`() async throws {
        try await withStore { bench in
            func connect(_ remoteID: String) async -> StoreError? {
                let new = NewAccount(
                    id: .make(), owner: bench.owner.id, service: "file", remoteID: remoteID, account: remoteID,
                    credentials: [1], settings: "{}",
                    lane: NewLane(gate: "file", maximumRunning: 1, gap: .zero, cap: nil))
                do throws(StoreError) {
                    _ = try await bench.store.connect(new, limit: 2)
                    return nil
                } catch {
                    return error
                }
            }

            let results = [await connect("1"), await connect("2"), await connect("3"), await connect("1")]

            #expect(results == [nil, nil, .conflict(constraint: "connections_per_user"), nil])
        }
    }
}
