package import Domain
internal import FoundationEssentials
import Postgres

/// A job that this worker has taken, with all that one attempt needs.
package struct ClaimedJob: Sendable {
    package let id: Int64
    /// Fences every write: it matches only while the lease is this worker's.
    package let leaseNo: Int32
    package let submission: SubmissionID
    package let connection: AccountID
    package let kind: Kind
    /// Attempts that have failed and count against the bound.
    package let failures: Int
    /// The request that publishes may have left in an earlier attempt.
    package let isArmed: Bool
    /// A JSON object.
    package let journal: String
    /// The version of the journal's form, which a later Pics may change.
    package let journalVersion: Int

    /// The work to do at the service.
    package enum Kind: String, Sendable {
        /// Publish the photo.
        case submit
        /// Change the words of its post.
        case edit
        /// Take its post back.
        case delete
    }
}

/// The record of an attempt that has ended.
package struct AttemptReport: Sendable, Equatable {
    /// A word that sorts it, such as `done`, `temporary`, `limited`.
    package let outcome: String
    package let status: Int?
    package let problem: Problem?
    /// The service's own text, for operators.
    package let detail: String?

    package init(outcome: String, status: Int? = nil, problem: Problem? = nil, detail: String? = nil) {
        self.outcome = outcome
        self.status = status
        self.problem = problem
        self.detail = detail
    }
}

extension Query where Row == ClaimedJob {
    static func claimJobs(worker: String, limit: Int, lease: Duration) -> Self {
        Query(
            "take_jobs",
            """
            SELECT id, lease_no, connection_id, submission_id, kind, attempt, effect, journal, journal_version
              FROM take_jobs($1, $2::int, make_interval(secs => $3::float8))
            """, [worker, Int32(limit), lease.seconds]
        ) { row throws(PostgresError) in
            let id: Int64 = try row.get("id")
            let leaseNo: Int32 = try row.get("lease_no")
            let connection: AccountID = try row.id("connection_id")
            let submission: SubmissionID = try row.id("submission_id")
            let kind: ClaimedJob.Kind = try row.value("kind") { ClaimedJob.Kind(rawValue: $0) }
            let failures: Int32 = try row.get("attempt")
            let effect: String = try row.get("effect")
            let version: Int16 = try row.get("journal_version")
            return ClaimedJob(
                id: id, leaseNo: leaseNo, submission: submission, connection: connection, kind: kind,
                failures: Int(failures), isArmed: effect == "armed", journal: try row.get("journal"),
                journalVersion: Int(version))
        }
    }
}

/// The end of a job: its lease, and what its submission has come to.
package struct EndedJob: Sendable, Equatable {
    package let id: Int64
    package let leaseNo: Int32
    package let state: Submission.State
    package let remoteID: String?
    package let remoteURL: String?
    package let text: String?
    package let report: AttemptReport

    var lease: JobLease { JobLease(id: id, leaseNo: leaseNo) }
}

/// A job under one lease.
struct JobLease: Sendable, Hashable {
    let id: Int64
    let leaseNo: Int32
}

extension Query where Row == JobLease {
    /// The jobs that were ended; one that is missing had lost its lease.
    static func finish(_ jobs: [EndedJob]) -> Self {
        Query(
            "finish_jobs",
            """
            SELECT id, lease_no FROM finish_jobs($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[],
                                       $7::text[], $8::int[], $9::text[], $10::text[])
            """,
            [
                jobs.map(\.id), jobs.map(\.leaseNo), jobs.map(\.state.rawValue), jobs.map(\.remoteID),
                jobs.map(\.remoteURL), jobs.map(\.text), jobs.map(\.report.outcome),
                jobs.map { $0.report.status.map(Int32.init) }, jobs.map(\.report.problem?.stored),
                jobs.map(\.report.detail),
            ]
        ) { row throws(PostgresError) in
            JobLease(id: try row.get("id"), leaseNo: try row.get("lease_no"))
        }
    }
}

/// How a job goes back into the queue.
package struct JobRelease: Sendable, Equatable {
    /// Until it is due again; nil leaves it its place in the lane. Once it is due, it goes before what was not begun.
    package var delay: Duration?
    /// Whether the attempt counts against the bound.
    package var counts: Bool
    /// Whether the request that publishes may have left.
    package var isArmed: Bool
    /// Holds the whole lane back for so long.
    package var block: Duration?
    /// Holds all lanes back for so long that share its gate.
    package var gateBlock: Duration?
    /// The service failed, which breakers count: the pause of the first that opens.
    package var trouble: Duration?
    /// Nil when the attempt is not worth keeping.
    package var report: AttemptReport?

    package init(
        delay: Duration?, counts: Bool, isArmed: Bool, block: Duration? = nil, gateBlock: Duration? = nil,
        trouble: Duration? = nil, report: AttemptReport? = nil
    ) {
        self.delay = delay
        self.counts = counts
        self.isArmed = isArmed
        self.block = block
        self.gateBlock = gateBlock
        self.trouble = trouble
        self.report = report
    }
}

extension Query where Row == String? {
    static func release(_ job: ClaimedJob, _ release: JobRelease) -> Self {
        let report = release.report
        return Query(
            "release_job",
            """
            SELECT release_job($1, $2, make_interval(secs => $3::float8), $4, $5::text::job_effect,
                               make_interval(secs => $6::float8), make_interval(secs => $7::float8),
                               make_interval(secs => $8::float8), $9, $10::int, $11, $12) AS state
            """,
            [
                job.id, job.leaseNo, release.delay?.seconds, release.counts, release.isArmed ? "armed" : "none",
                release.block?.seconds, release.gateBlock?.seconds, release.trouble?.seconds, report?.outcome,
                report?.status.map(Int32.init), report?.problem?.stored, report?.detail,
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
                report.problem?.stored, report.detail,
            ]
        ) { row throws(PostgresError) in try row.get("state") }
    }
}

/// The answer of a checkpoint; no row when the lease was lost.
struct CheckpointResult: Sendable {
    let isCancelled: Bool
}

/// A job whose lease was extended.
package struct ExtendedLease: Sendable, Equatable {
    package let id: Int64
    package let isCancelled: Bool
}

extension Query where Row == CheckpointResult {
    static func checkpoint(_ job: ClaimedJob, journal: String, version: Int, arm: Bool, lease: Duration) -> Self {
        Query(
            "checkpoint_job",
            """
            SELECT c AS cancelled
              FROM checkpoint_job($1, $2, $3::text::jsonb, $4::smallint, $5, make_interval(secs => $6::float8)) c
             WHERE c IS NOT NULL
            """,
            [job.id, job.leaseNo, journal, Int16(version), arm, lease.seconds]
        ) { row throws(PostgresError) in CheckpointResult(isCancelled: try row.get("cancelled")) }
    }
}

extension Query where Row == ExtendedLease {
    static func extendLeases(_ jobs: [(id: Int64, leaseNo: Int32)], lease: Duration) -> Self {
        Query(
            "beat_jobs",
            "SELECT id, is_cancelled FROM beat_jobs($1::bigint[], $2::int[], make_interval(secs => $3::float8))",
            [jobs.map(\.id), jobs.map(\.leaseNo), lease.seconds]
        ) { row throws(PostgresError) in
            ExtendedLease(id: try row.get("id"), isCancelled: try row.get("is_cancelled"))
        }
    }
}

extension Query where Row == Bool {
    static func hasLanesAwake() -> Self {
        Query(
            "has_lanes_awake",
            "SELECT coalesce(min(wake_at) <= now(), false) AS is_awake FROM lanes WHERE wake_at < 'infinity'"
        ) { row throws(PostgresError) in try row.get("is_awake") }
    }
}

extension Query where Row == Int32 {
    static func rescueJobs(limit: Int) -> Self {
        Query("rescue_jobs", "SELECT rescue_jobs($1::int) AS count", [Int32(limit)]) { row throws(PostgresError) in
            try row.get("count")
        }
    }

    static func correctTimes(longestPause: Duration) -> Self {
        Query("correct_times", "SELECT correct_times($1::interval) AS count", [longestPause]) {
            row throws(PostgresError) in try row.get("count")
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
            "UPDATE submissions SET bytes_sent = $2, bytes_total = $3 WHERE id = $1 AND state = 'waiting'",
            [submission.uuid, sent, total])
    }
}
