internal import Blobs
internal import Crypto
internal import Domain
internal import EventLoops
internal import Foundation
internal import Jobs
internal import Postgres
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

/// A queue with a database and a blob store of its own, whose only service is a scripted one.
struct Bench: Sendable {
    let database: Database
    let store: PicsStore
    let log: LogProbe
    let clock: TestClock
    let owner: User
    let context: WorkerContext
    let workers = Box<[RunningWorker]>([])

    // MARK: Accounts and submissions

    /// Connects an account, or connects it again.
    @discardableResult
    func connect(
        _ account: String = "alice", service: String = "scripted", maximumRunning: Int = 1, gap: Duration = .zero,
        gate: String? = nil, cap: StartRate? = nil, settings: String = "{}", key: KeyRing? = nil
    ) async throws -> AccountID {
        let credentials = try (key ?? context.keys).seal(
            Array(#"{"token":"secret"}"#.utf8), context: CredentialContext.of(service: service, remoteID: account))
        return try await store.connect(
            NewAccount(
                id: .make(), owner: owner.id, service: service, remoteID: account, account: account,
                credentials: credentials, settings: settings,
                lane: NewLane(gate: gate ?? service, maximumRunning: maximumRunning, gap: gap, cap: cap)))
    }

    /// Stores a photo that is to go to an account.
    @discardableResult
    func submit(
        to connection: AccountID, caption: String = "Sunset", thread: [String] = [], isCut: Bool = false,
        kind: Photo.Kind = .video, maximumAttempts: Int = 12, publishAt: Date? = nil
    ) async throws -> SubmissionID {
        let blob = try await context.blobs.put(Array("moving pictures".utf8))
        let id = SubmissionID.make()
        let isVideo = kind == .video
        var photo = NewPhoto(
            id: .make(), owner: owner.id, code: .make(), blob: try #require(BlobID(blob.digest.bytes)),
            bytes: blob.bytes,
            mediaType: isVideo ? "video/mp4" : "image/jpeg", kind: kind, width: isVideo ? nil : 4,
            height: isVideo ? nil : 3,
            takenAt: nil, position: nil, exif: "{}", caption: caption, altText: "",
            visibility: publishAt == nil ? .public : .private)
        if let publishAt { photo.plan = Photo.Plan(visibility: .unlisted, publishAt: publishAt) }
        var plan = PlannedCaption(text: caption, isCut: isCut, length: caption.count, limit: 140, unit: .codePoints)
        plan.thread = thread
        try await store.create(
            photo,
            submissions: [
                NewSubmission(
                    id: id, connection: connection, plan: plan, bytes: blob.bytes, maximumAttempts: maximumAttempts,
                    maximumAge: .seconds(86_400))
            ])
        return id
    }

    func submission(_ id: SubmissionID) async throws -> Submission { try await store.submission(id, owner: owner.id) }

    func state(_ id: SubmissionID) async throws -> Submission.State { try await submission(id).state }

    @discardableResult
    func cancel(_ id: SubmissionID) async throws -> Submission { try await store.cancel(id, owner: owner.id) }

    /// The outcomes of all attempts that were written down, oldest first.
    func attempts(_ id: SubmissionID) async throws -> [String] {
        try await value(
            "SELECT coalesce(string_agg(outcome, ' ' ORDER BY id), '') FROM attempts WHERE submission_id = '\(id)'"
        ).split(separator: " ").map(String.init)
    }

    // MARK: Workers

    /// A worker that does nothing by itself: it looks once, and when it is woken.
    func worker(
        _ name: String = "worker", on loop: EventLoop? = nil, _ adjust: (inout Worker.Configuration) -> Void = { _ in }
    ) -> Worker {
        let never = Duration.seconds(3600)
        var configuration = Worker.Configuration(name: name)
        configuration.poll = never
        configuration.rescue = never
        configuration.sweep = never
        configuration.heartbeat = never
        configuration.lease = never
        adjust(&configuration)
        return Worker(
            configuration, context: context, loop: loop ?? SharedParts.nextLoop(), leases: SharedParts.leaseLoop())
    }

    /// Starts such a worker.
    func start(
        _ name: String = "worker", on loop: EventLoop? = nil, _ adjust: (inout Worker.Configuration) -> Void = { _ in }
    ) -> RunningWorker {
        let worker = worker(name, on: loop, adjust)
        let running = RunningWorker(worker: worker, running: Task { await worker.run() })
        workers.update { $0.append(running) }
        return running
    }

    /// Lets all workers look.
    func wake() async {
        for worker in workers.value { await worker.wake() }
    }

    func stopWorkers() async {
        for worker in workers.value { await worker.stop() }
    }

    /// Waits until `tries` tries of a submission have ended, and tells where it stands.
    @discardableResult
    func ended(_ id: SubmissionID, tries: Int = 1) async throws -> Submission {
        await log.wait(for: "submission tried", id.description, count: tries)
        return try await submission(id)
    }

    /// Lets the time pass that jobs and lanes wait for.
    func makeDue() async throws {
        try await sql("UPDATE jobs SET run_at = created_at WHERE state = 'ready'")
        try await sql("UPDATE lanes SET blocked_until = '-infinity', wake_at = now() WHERE NOT paused")
    }

    /// Lets time pass for all jobs and lanes, which keep their order.
    func passTime(seconds: Int) async throws {
        try await sql("UPDATE jobs SET run_at = run_at - interval '\(seconds) s'")
        try await sql(
            """
            UPDATE lanes SET blocked_until = blocked_until - interval '\(seconds) s',
                             wake_at = wake_at - interval '\(seconds) s'
            """)
    }

    /// Lets the leases of all jobs that run come to their end.
    func endLeases() async throws {
        try await sql("UPDATE jobs SET lease_until = now() - interval '1 second' WHERE state = 'running'")
    }
}

/// A worker and the task that it runs in.
struct RunningWorker: Sendable {
    let worker: Worker
    let running: Task<Void, Never>

    func wake() async { await worker.wake() }

    /// Ends it at once; what runs is given back.
    func stop() async {
        await worker.stop(within: .zero)
        await running.value
    }
}
