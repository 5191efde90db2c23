internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
internal import Jobs
internal import Postgres
internal import Store
internal import Submitters

/// How fast the queue is with everything kept: lease, attempt, and the state of every submission.
enum QueueBench {
    struct Options {
        var lanes = 200
        var jobs = 20_000
        var concurrency = 800
        var conninfo: String?
    }

    /// Enqueues, drains with the real worker, and tells jobs a second; then the time from commit to work.
    static func run(_ options: Options) async throws {
        let stage = try await QueueStage.open(options.conninfo)
        let submitter = InstantSubmitter()
        let width = max(1, min(16, options.concurrency * 2 / options.lanes))
        let lanes = try await stage.connect(options.lanes, service: "instant", maximumRunning: width)

        var written = try await stage.writtenBytes()
        let enqueued = try await enqueue(options, lanes, stage)
        written = try await stage.writtenBytes() - written
        say(
            "enqueued \(options.jobs) jobs in \(options.lanes) lanes: \(rate(options.jobs, enqueued)) jobs/s, "
                + "\(written / options.jobs) bytes of WAL each")
        try await plans(stage)

        written = try await stage.writtenBytes()
        let begun = Moment.now
        try await stage.withWorker(options.concurrency, submitter) { worker in
            await submitter.untilDone(options.jobs)
            try await stage.untilEmpty()
            let time = Moment.now - begun
            let bytes = try await stage.writtenBytes() - written
            say(
                "drained: \(rate(options.jobs, time)) jobs/s (worker of \(options.concurrency) at once), "
                    + "\(bytes / options.jobs) bytes of WAL each")
            let attempts = try await stage.number("SELECT count(*) FROM attempts WHERE outcome = 'done'")
            let done = try await stage.number("SELECT count(*) FROM submissions WHERE state = 'done'")
            say("kept: \(attempts) attempts, \(done) submissions done")

            submitter.watch()
            try await PickupLatency(stage, submitter, worker).measure("pickup by NOTIFY", lanes)
        }
        await stage.close()
    }

    private static func rate(_ count: Int, _ time: Duration) -> Int { Int(Double(count) / (time / .seconds(1))) }

    /// A photo for as many accounts as there are, again and again, from eight clients.
    private static func enqueue(
        _ options: Options, _ lanes: [AccountID], _ stage: QueueStage
    ) async throws -> Duration {
        let batch = min(100, lanes.count)
        let begun = Moment.now
        try await withThrowingTaskGroup { group in
            for client in 0..<2 {
                group.addTask {
                    var number = client
                    while number * batch < options.jobs {
                        let first = number * batch % lanes.count
                        let count = min(batch, options.jobs - number * batch)
                        let targets = (0..<count).map { lanes[(first + $0) % lanes.count] }
                        _ = try await stage.post(to: targets)
                        number += 2
                    }
                }
            }
            try await group.waitForAll()
        }
        return Moment.now - begun
    }

    /// How a claim is carried out against the backlog.
    private static func plans(_ stage: QueueStage) async throws {
        try await stage.database.execute(Query<Void>("analyze", "ANALYZE"))
        let begun = Moment.now
        let jobs = try await stage.store.claimJobs(worker: "plan", limit: 100, lease: .seconds(60))
        let time = Moment.now - begun
        for job in jobs {
            _ = try await stage.store.release(job, JobRelease(delay: nil, counts: false, isArmed: false))
        }
        say("a claim of \(jobs.count) jobs from this backlog: \(time)")
    }
}
