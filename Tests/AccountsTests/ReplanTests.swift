internal import Actions
internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Postgres
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

/// The effect of a changed choice on texts that wait.
struct ReplanTests {
    private static let caption = String(repeating: "harbour ", count: 30)

    private func mastodon(_ clock: TestClock) -> FakeMastodon { FakeMastodon(now: { clock.now }) }

    /// Alice's account of a fake Mastodon, and the submissions of some photos that wait for it.
    private func waiting(
        _ bench: Bench, _ server: FakeServer, _ count: Int = 1
    ) async throws -> (account: AccountID, submissions: [SubmissionID]) {
        let made = try await bench.accounts().connect(
            try #require(bench.registry["mastodon"]), of: bench.alice,
            entered: ["base_url": server.url, "access_token": "mastodon-token"])
        var submissions: [SubmissionID] = []
        for number in 0..<count {
            let id = SubmissionID.make()
            let photo = NewPhoto(
                id: .make(), owner: bench.alice.id, code: .make(),
                blob: try #require(BlobID([UInt8](repeating: UInt8(number), count: 32))), bytes: 1,
                mediaType: "image/jpeg", kind: .photo, width: 1, height: 1,
                takenAt: Date(timeIntervalSince1970: 1_795_165_872), position: nil, exif: "{}",
                caption: Self.caption, altText: "", visibility: .public)
            let plan = PlannedCaption(text: "as planned", isCut: false, length: 10, limit: 500, unit: .codePoints)
            try await bench.store.create(
                photo,
                submissions: [
                    NewSubmission(
                        id: id, connection: made.id, plan: plan, bytes: 1, maximumAttempts: 3,
                        maximumAge: .seconds(3600))
                ])
            submissions.append(id)
        }
        return (made.id, submissions)
    }

    private func choose(_ chosen: JSONObject, for account: AccountID, _ bench: Bench) async throws {
        try await bench.accounts().choose(
            chosen, for: account, of: try #require(bench.registry["mastodon"]), owner: bench.alice.id)
    }

    @Test(
        arguments: [
            (["caption": false], ""),
            (["caption_template": "Day {day}: {caption}"], "Day 324: \(caption)".trimmingCharacters(in: .whitespaces)),
        ] as [(JSONObject, String)])
    func `what waits and has not begun gets the new text`(chosen: JSONObject, text: String) async throws {
        try await withBench(mastodon) { bench, server in
            let (account, submissions) = try await waiting(bench, server)

            try await choose(chosen, for: account, bench)

            let submission = try await bench.store.submission(submissions[0], owner: bench.alice.id)
            #expect(submission.text.trimmingCharacters(in: .whitespaces) == text && !submission.isCut)
        }
    }

    @Test func `another rule cuts what waits, with the short link of its photo`() async throws {
        try await withBench(mastodon) { bench, server in
            let (account, submissions) = try await waiting(bench, server)

            try await choose(["caption_rule": "twitter_classic"], for: account, bench)

            let submission = try await bench.store.submission(submissions[0], owner: bench.alice.id)
            #expect(submission.isCut && submission.limit == 140)
            #expect(submission.text.contains("… \(Bench.base)/"))
        }
    }

    @Test func `what has begun keeps its text`() async throws {
        try await withBench(mastodon) { bench, server in
            let (account, submissions) = try await waiting(bench, server, 3)
            let jobs = try await bench.store.claimJobs(worker: "w", limit: 1, lease: .seconds(60))
            let running = try #require(jobs.first)
            // A second one has left a step at the service and waits to be tried again.
            let waiting = submissions.filter { $0 != running.submission }
            let begun = try await bench.database.execute(
                Query(
                    "begin step", "UPDATE jobs SET journal = '{\"media\": \"1\"}' WHERE submission_id = $1",
                    [waiting[0].uuid]))
            #expect(begun == 1)

            try await choose(["caption": false], for: account, bench)

            func text(_ id: SubmissionID) async throws -> String {
                try await bench.store.submission(id, owner: bench.alice.id).text
            }
            #expect(try await text(running.submission) == "as planned")
            #expect(try await text(waiting[0]) == "as planned")
            #expect(try await text(waiting[1]) == "")
        }
    }

    @Test func `an account that is connected again with other choices plans anew too`() async throws {
        try await withBench(mastodon) { bench, server in
            let (account, submissions) = try await waiting(bench, server)

            let again = try await bench.accounts().connect(
                try #require(bench.registry["mastodon"]), of: bench.alice,
                entered: ["base_url": server.url, "access_token": "mastodon-token"], chosen: ["caption": false])

            #expect(again.id == account)
            #expect(try await bench.store.submission(submissions[0], owner: bench.alice.id).text == "")
        }
    }

    @Test func `more texts than are planned at a time are all planned`() async throws {
        try await withBench(mastodon) { bench, server in
            let (account, _) = try await waiting(bench, server, 3)
            let copies = try await bench.database.execute(
                Query(
                    "copy",
                    """
                    WITH photo AS (
                        INSERT INTO photos (id, owner_id, sha256, kind, width, height, exif, caption, alt_text, visibility)
                        SELECT gen_random_uuid(), owner_id, sha256, kind, width, height, exif, caption, alt_text, visibility
                          FROM (SELECT * FROM photos LIMIT 1) p, generate_series(1, 1200) RETURNING id
                    ), link AS (
                        INSERT INTO short_links (code, photo_id)
                        SELECT translate(substr(md5(id::text), 1, 8), '0', '2'), id FROM photo
                    ), submission AS (
                        INSERT INTO submissions (id, photo_id, connection_id, text, is_cut, length)
                        SELECT gen_random_uuid(), id, $1, 'old', false, 3 FROM photo RETURNING id
                    )
                    INSERT INTO jobs (connection_id, submission_id, max_attempts, expires_at)
                    SELECT $1, id, 3, now() + interval '1 hour' FROM submission
                    """, [account.uuid]))
            #expect(copies == 1200)

            try await choose(["caption": false], for: account, bench)

            let left = try await bench.database.execute(
                Query(
                    "left", "UPDATE submissions SET text = text WHERE connection_id = $1 AND text <> ''",
                    [account.uuid]))
            #expect(left == 0)
        }
    }
}
