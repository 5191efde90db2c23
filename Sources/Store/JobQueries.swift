package import Domain
package import Foundation
import Postgres

/// A job that this worker has taken, with all that one try needs.
package struct ClaimedJob: Sendable {
    package let id: Int64
    /// Fences every write: it matches only while the lease is this worker's.
    package let leaseNo: Int32
    package let submission: SubmissionID
    package let connection: ConnectionID
    /// Tries that have failed and count.
    package let attempt: Int
    /// The request that publishes may have left in an earlier try.
    package let isArmed: Bool
    /// A JSON object.
    package let journal: String
}

/// What is to be submitted, and for whom.
package struct JobSubject: Sendable {
    package let photo: Photo
    package let owner: String
    /// The owner's, by its IANA name.
    package let timeZone: String
    package let service: String
    package let remoteAccountID: String
    package let account: String
    /// Sealed.
    package let credentials: [UInt8]
    /// A JSON object.
    package let settings: String
    package let settingsReadAt: Date
    package let text: String
}

/// What the queue keeps of a try that has ended.
package struct AttemptReport: Sendable, Equatable {
    /// A word that sorts it, such as `done`, `temporary`, `limited`.
    package let outcome: String
    package let status: Int?
    /// A sentence for people.
    package let problem: String?
    /// What the service wrote, for operators.
    package let detail: String?

    package init(outcome: String, status: Int? = nil, problem: String? = nil, detail: String? = nil) {
        self.outcome = outcome
        self.status = status
        self.problem = problem
        self.detail = detail
    }
}

extension Query where Row == ClaimedJob {
    static func takeJobs(worker: String, limit: Int, lease: Duration) -> Self {
        Query(
            "take_jobs",
            """
            SELECT id, lease_no, connection_id, submission_id, attempt, effect, journal
              FROM take_jobs($1, $2::int, make_interval(secs => $3::float8))
            """, [worker, Int32(limit), lease.seconds]
        ) { row throws(PostgresError) in
            let id: Int64 = try row.get("id")
            let leaseNo: Int32 = try row.get("lease_no")
            let connection: ConnectionID = try row.id("connection_id")
            let submission: SubmissionID = try row.id("submission_id")
            let attempt: Int32 = try row.get("attempt")
            let effect: String = try row.get("effect")
            return ClaimedJob(
                id: id, leaseNo: leaseNo, submission: submission, connection: connection, attempt: Int(attempt),
                isArmed: effect == "armed", journal: try row.get("journal"))
        }
    }
}

extension Query where Row == Bool {
    static func finish(
        _ job: ClaimedJob, state: Submission.State, remoteID: String?, remoteURL: String?, text: String?,
        report: AttemptReport
    ) -> Self {
        Query(
            "finish_job",
            "SELECT finish_job($1, $2, $3::text::submission_state, $4, $5, $6, $7, $8::int, $9, $10) AS is_ours",
            [
                job.id, job.leaseNo, state.rawValue, remoteID, remoteURL, text, report.outcome,
                report.status.map(Int32.init), report.problem, report.detail,
            ]
        ) { row throws(PostgresError) in try row.get("is_ours") }
    }
}

extension Query where Row == String? {
    static func release(
        _ job: ClaimedJob, delay: Duration?, counts: Bool, isArmed: Bool, block: Duration?, report: AttemptReport?
    ) -> Self {
        Query(
            "release_job",
            """
            SELECT release_job($1, $2, make_interval(secs => $3::float8), $4, $5::text::job_effect,
                               make_interval(secs => $6::float8), $7, $8::int, $9, $10) AS state
            """,
            [
                job.id, job.leaseNo, delay?.seconds, counts, isArmed ? "armed" : "none", block?.seconds,
                report?.outcome, report?.status.map(Int32.init), report?.problem, report?.detail,
            ]
        ) { row throws(PostgresError) in try row.get("state") }
    }
}

extension Query where Row == String? {
    static func park(_ job: ClaimedJob, isArmed: Bool, report: AttemptReport) -> Self {
        Query(
            "park_job", "SELECT park_job($1, $2, $3::text::job_effect, $4, $5::int, $6, $7) AS state",
            [
                job.id, job.leaseNo, isArmed ? "armed" : "none", report.outcome, report.status.map(Int32.init),
                report.problem, report.detail,
            ]
        ) { row throws(PostgresError) in try row.get("state") }
    }
}

/// The answer of a checkpoint; no row when the lease was lost.
struct CheckpointAnswer: Sendable {
    let isCancelled: Bool
}

/// A job whose lease was extended.
package struct BeatenJob: Sendable, Equatable {
    package let id: Int64
    package let isCancelled: Bool
}

extension Query where Row == CheckpointAnswer {
    static func checkpoint(_ job: ClaimedJob, journal: String, arm: Bool, lease: Duration) -> Self {
        Query(
            "checkpoint_job",
            """
            SELECT c AS cancelled FROM checkpoint_job($1, $2, $3::text::jsonb, $4, make_interval(secs => $5::float8)) c
             WHERE c IS NOT NULL
            """,
            [job.id, job.leaseNo, journal, arm, lease.seconds]
        ) { row throws(PostgresError) in CheckpointAnswer(isCancelled: try row.get("cancelled")) }
    }
}

extension Query where Row == BeatenJob {
    static func beat(_ jobs: [(id: Int64, leaseNo: Int32)], lease: Duration) -> Self {
        Query(
            "beat_jobs",
            "SELECT id, is_cancelled FROM beat_jobs($1::bigint[], $2::int[], make_interval(secs => $3::float8))",
            [jobs.map(\.id), jobs.map(\.leaseNo), lease.seconds]
        ) { row throws(PostgresError) in
            BeatenJob(id: try row.get("id"), isCancelled: try row.get("is_cancelled"))
        }
    }
}

extension Query where Row == Int32 {
    static func rescueJobs(limit: Int) -> Self {
        Query("rescue_jobs", "SELECT rescue_jobs($1::int) AS count", [Int32(limit)]) { row throws(PostgresError) in
            try row.get("count")
        }
    }

    static func sweepLanes() -> Self {
        Query("sweep_lanes", "SELECT sweep_lanes() AS count") { row throws(PostgresError) in try row.get("count") }
    }
}

extension Query where Row == Void {
    /// Progress may be lost in a crash: it only informs. `updated_at` stays the time of the last state or problem, and
    /// no index is touched.
    static func noteProgress(_ submission: SubmissionID, sent: Int64, total: Int64) -> Self {
        Query(
            "note_progress",
            "UPDATE submissions SET bytes_sent = $2, bytes_total = $3 WHERE id = $1 AND state = 'running'",
            [submission.uuid, sent, total])
    }
}

extension Query where Row == JobSubject {
    /// No row when the photo was deleted meanwhile.
    static func subject(of submission: SubmissionID) -> Self {
        Query(
            "job_subject",
            """
            SELECT p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at,
                   p.latitude, p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources,
                   p.like_count, p.version, p.created_at, p.deleted_at, p.duration, p.rotation, p.frame_rate,
                   p.picture_format, p.sound_format, p.plays_from_start, u.name AS owner_name, u.time_zone,
                   false AS liked,
                   c.service, c.remote_id, c.account, c.credentials, c.settings, c.settings_read_at, s.text
              FROM submissions s
              JOIN connections c ON c.id = s.connection_id
              JOIN photos p ON p.id = s.photo_id
              JOIN blobs b ON b.sha256 = p.sha256
              JOIN short_links l ON l.photo_id = p.id
              JOIN users u ON u.id = p.owner_id
             WHERE s.id = $1 AND p.deleted_at IS NULL
            """, [submission.uuid]
        ) { row throws(PostgresError) in
            let view = try PhotoView(row)
            return JobSubject(
                photo: view.photo, owner: view.owner, timeZone: try row.get("time_zone"),
                service: try row.get("service"),
                remoteAccountID: try row.get("remote_id"), account: try row.get("account"),
                credentials: try row.get("credentials"), settings: try row.get("settings"),
                settingsReadAt: try row.get("settings_read_at"), text: try row.get("text"))
        }
    }
}
