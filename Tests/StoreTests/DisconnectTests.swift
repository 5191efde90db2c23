import Domain
import Postgres
import Store
import Testing

/// Accounts whose credentials are forgotten while there is work for them.
struct DisconnectTests {
    @Test func `what waits is cancelled, what may be published is unknown, and what runs is asked to end`()
        async throws
    {
        try await withStore { bench in
            let account = try await bench.connect(maximumRunning: 2)
            let armed = try await bench.post(to: [account])
            try await bench.database.change("UPDATE jobs SET effect = 'armed', run_at = now() + interval '1 hour'")
            let running = try await bench.post(to: [account])
            let job = try #require(
                try await bench.store.claimJobs(worker: "one", limit: 1, lease: Bench.lease).first)
            let waiting = try await bench.post(to: [account])

            let ended = try await bench.store.disconnect(account, owner: bench.owner.id)

            func state(_ posted: Posted) async throws -> Submission.State {
                try await bench.store.submission(posted.submissions[0], owner: bench.owner.id).state
            }
            #expect(ended == 2)
            #expect(try await state(armed) == .unknown)
            #expect(try await state(waiting) == .cancelled)
            #expect(try await state(running) == .running)
            let kept = try await bench.store.extendLeases([(id: job.id, leaseNo: job.leaseNo)], lease: Bench.lease)
            #expect(kept.first?.isCancelled == true)
            #expect(try await bench.store.sweepDisconnected() == 0)
        }
    }

    @Test func `work that is asked for later ends with the next sweep`() async throws {
        try await withStore { bench in
            let account = try await bench.connect()
            let posted = try await bench.post(to: [account])
            _ = try await bench.store.disconnect(account, owner: bench.owner.id)
            _ = try await bench.store.retry(
                posted.submissions[0], owner: bench.owner.id, maximumAttempts: 3, maximumAge: .seconds(60))

            #expect(try await bench.store.sweepDisconnected() == 1)

            let submission = try await bench.store.submission(posted.submissions[0], owner: bench.owner.id)
            #expect(submission.state == .cancelled)
            #expect(try await bench.store.claimJobs(worker: "one", limit: 1, lease: Bench.lease).isEmpty)
        }
    }
}
