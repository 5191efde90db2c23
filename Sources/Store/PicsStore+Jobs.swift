package import Domain

extension PicsStore {
    /// Takes up to `limit` due jobs for `worker`, each under a lease.
    package func claimJobs(worker: String, limit: Int, lease: Duration) async throws(StoreError) -> [ClaimedJob] {
        try await rows(.claimJobs(worker: worker, limit: limit, lease: lease))
    }

    /// Whether a claim may find something: some lane is due, also one that others hold at this moment.
    package func hasLanesAwake() async throws(StoreError) -> Bool { try await one(.hasLanesAwake()) }

    /// The subject of a job; nil when its photo was deleted meanwhile.
    package func subject(of job: ClaimedJob) async throws(StoreError) -> JobSubject? {
        try await subjects.value(for: job.submission)
    }

    /// The post that a job changes; nil when there is none.
    package func post(of job: ClaimedJob) async throws(StoreError) -> PostSubject? {
        try await first(.post(of: job.submission))
    }

    /// Ends a job whose submission has come to a final state, together with others that end at the same time. False: the
    /// lease was lost, nothing is changed.
    package func finish(
        _ job: ClaimedJob, state: Submission.State, remoteID: String? = nil, remoteURL: String? = nil,
        text: String? = nil, report: AttemptReport
    ) async throws(StoreError) -> Bool {
        let ended = EndedJob(
            id: job.id, leaseNo: job.leaseNo, state: state, remoteID: remoteID, remoteURL: remoteURL, text: text,
            report: report)
        return try await receipts.end(ended)
    }

    /// Gives a job back. It ends when it was cancelled or has reached the bound of its tries or its age: `unknown` when
    /// it may have been published.
    ///
    /// - Throws: `.unavailable` when the database cannot be reached; the job is then ours until its lease ends.
    /// - Returns: The submission's state after it; nil when the lease was lost and nothing is changed.
    package func release(_ job: ClaimedJob, _ release: JobRelease) async throws(StoreError) -> Submission.State? {
        try await first(.release(job, release)).flatMap { $0 }.flatMap(Submission.State.init)
    }

    /// Writes down that the publishing request is about to leave, if the photo may still leave and looks as `appearance` of its
    /// subject says; and a step of the journal in any case, as `checkpoint`.
    ///
    /// - Returns: Nil when the lease was lost.
    package func arm(
        _ job: ClaimedJob, appearance: String, journal: String = "{}", version: Int = 1, lease: Duration
    ) async throws(StoreError) -> Arming? {
        try await first(
            .arm(job, appearance: appearance, journal: journal, version: version, lease: lease))
    }

    /// Writes a step of the journal durably, and with `arm` that the publishing request is about to leave. `journal` is
    /// a JSON object whose members replace those of the journal, in the form `version`; null forgets one.
    /// - Returns: Whether cancel was asked for (then nothing was armed); nil when the lease was lost.
    package func checkpoint(
        _ job: ClaimedJob, journal: String, version: Int = 1, arm: Bool, lease: Duration
    ) async throws(StoreError) -> Bool? {
        try await first(.checkpoint(job, journal: journal, version: version, arm: arm, lease: lease))?.isCancelled
    }

    /// Extends the leases of jobs in one statement. A job that does not come back has lost its lease.
    package func extendLeases(
        _ jobs: [(id: Int64, leaseNo: Int32)], lease: Duration
    ) async throws(StoreError) -> [ExtendedLease] {
        try await rows(.extendLeases(jobs, lease: lease))
    }

    /// Gives back the jobs of workers that died; returns how many.
    package func rescueJobs(limit: Int = 500) async throws(StoreError) -> Int {
        Int(try await one(.rescueJobs(limit: limit)))
    }

    /// Corrects times in the future that only a clock that was ahead can have written, so that nothing waits for them;
    /// returns how many rows. No pause is longer than `longestPause`.
    package func correctTimes(longestPause: Duration = Backoff.longestPause) async throws(StoreError) -> Int {
        Int(try await one(.correctTimes(longestPause: longestPause)))
    }

    /// Wakes lanes that sleep with work in them; returns how many, which is 0 unless the queue is at fault.
    package func sweepLanes() async throws(StoreError) -> Int { Int(try await one(.sweepLanes())) }

    /// Gives a job back whose credentials were refused, and holds its account's work until the owner has connected it
    /// again, unless they did so while the job ran. The attempt does not count; the job keeps its place in the lane.
    ///
    /// - Returns: The submission's state after it; nil when the lease was lost and nothing is changed.
    package func park(
        _ job: ClaimedJob, isArmed: Bool, report: AttemptReport
    ) async throws(StoreError) -> Submission.State? {
        try await first(.park(job, isArmed: isArmed, report: report)).flatMap { $0 }.flatMap(Submission.State.init)
    }

    /// Writes down how far an upload has come; a crash may lose it.
    package func noteProgress(_ submission: SubmissionID, sent: Int64, total: Int64) async throws(StoreError) {
        try await execute(.noteProgress(submission, sent: sent, total: total))
    }
}
