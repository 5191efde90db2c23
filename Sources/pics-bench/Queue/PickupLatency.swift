internal import Domain
internal import EventLoops
internal import Foundation
internal import Jobs
internal import Postgres
internal import Store

/// How long it takes from before the transaction that posts to the first line of `submit`.
struct PickupLatency {
    private let stage: QueueStage
    private let submitter: InstantSubmitter
    private let worker: Worker

    init(_ stage: QueueStage, _ submitter: InstantSubmitter, _ worker: Worker) {
        self.stage = stage
        self.submitter = submitter
        self.worker = worker
    }

    /// Posts 500 photos, fifty a second, each to the next lane.
    func measure(_ name: String, _ lanes: [AccountID]) async throws {
        // As autovacuum does within a minute.
        try await stage.database.execute(Query<Void>("analyze", "ANALYZE"))
        let listener = PostgresListener(stage.database)
        let events = await listener.listen(to: [PicsStore.workChannel])
        let hearing = Task { for await _ in events { await worker.wake() } }
        var times: [Duration] = []
        for number in 0..<500 {
            let begun = Moment.now
            let id = try await stage.post(to: [lanes[number % lanes.count]])[0]
            times.append(await submitter.begun(id) - begun)
            let rest = Duration.milliseconds(20) - (Moment.now - begun)
            if rest > .zero { try await stage.loops[1].sleep(for: rest) }
        }
        times.sort()
        say("\(name), at 50 jobs/s: p50 \(Self.text(times[250])), p99 \(Self.text(times[495]))")
        await listener.stop()
        hearing.cancel()
    }

    private static func text(_ time: Duration) -> String {
        time.formatted(.units(allowed: [.milliseconds], fractionalPart: .show(length: 1)))
    }
}
