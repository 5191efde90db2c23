import Domain
import Foundation
import Postgres
import Store
import TestTools
import Testing

/// One of many clients that drive the queue at random: now a phone, now a worker, now upkeep.
struct QueueClient {
    private let bench: Bench
    private let accounts: [String]
    private let connections: [AccountID]
    private let ledger: QueueLedger
    private let name: String
    private var random: SplitMix64
    private var held: [ClaimedJob] = []
    private var settled: [ClaimedJob] = []

    private enum Action: CaseIterable {
        case post, take, finish, release, park, checkpoint, extendLeases, progress, late, cancel, retry, edit, delete,
            like
        case connect, passTime, passGateTime, rescue, sweep, trouble, pauseAccount, pauseGate, resolve

        /// How often it comes.
        var weight: Int {
            switch self {
            case .take, .finish: 8
            case .post: 6
            case .release, .passTime: 5
            case .checkpoint, .late, .connect, .trouble, .passGateTime: 3
            case .extendLeases, .rescue, .cancel, .retry, .pauseAccount, .pauseGate: 2
            case .park, .progress, .edit, .delete, .like, .sweep, .resolve: 1
            }
        }

        static let drawn = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    }

    /// `accounts` are the names under which `connections` were connected; all clients share the `ledger`.
    init(
        _ number: Int, bench: Bench, accounts: [String], connections: [AccountID], ledger: QueueLedger
    ) {
        self.bench = bench
        self.accounts = accounts
        self.connections = connections
        self.ledger = ledger
        name = "client \(number)"
        random = SplitMix64(seed: UInt64(number))
    }

    mutating func step() async throws {
        switch Action.drawn[Int.random(in: 0..<Action.drawn.count, using: &random)] {
        case .post: try await post()
        case .take: held += try await bench.take(Int.random(in: 1...6, using: &random), worker: name)
        case .finish: try await settle { random, store, job in try await Self.finish(job, in: store, &random) }
        case .release: try await settle { random, store, job in try await Self.release(job, in: store, &random) }
        case .park:
            try await settle { random, store, job in
                try await store.park(
                    job, isArmed: .random(using: &random),
                    report: AttemptReport(outcome: "unauthorized", problem: .other("No.")))
                    != nil
            }
        case .checkpoint: try await checkpoint()
        case .extendLeases: try await extendLeases()
        case .progress:
            guard let job = held.randomElement(using: &random) else { return }
            try await bench.store.noteProgress(job.submission, sent: 1, total: 2)
        case .late: try await comeLate()
        case .cancel:
            guard let submission = await ledger.submission(random.next()) else { return }
            _ = try await bench.store.cancel(submission, owner: bench.owner.id)
        case .retry:
            guard let submission = await ledger.submission(random.next()) else { return }
            _ = try await bench.store.retry(
                submission, owner: bench.owner.id, maximumAttempts: 3, maximumAge: .seconds(3600))
        case .edit: try await edit()
        case .delete:
            let takesBack = Bool.random(using: &random)
            try await onPhoto { bench, photo in
                let posts = try await bench.store.submissions(of: photo).map(\.id)
                try await bench.store.deletePhoto(
                    photo, owner: bench.owner.id, takingBack: ChangePolicy(takesBack ? posts : [], maximumAttempts: 2))
            }
        case .trouble:
            try await settle { _, store, job in
                try await store.release(
                    job, delay: .zero, counts: true, isArmed: false, isTrouble: true,
                    report: AttemptReport(outcome: "temporary", problem: .other("Down."))) != nil
            }
        case .pauseAccount:
            let connection = connections[Int.random(in: 0..<connections.count, using: &random)]
            _ = try await bench.store.pause(.random(using: &random), connection, owner: bench.owner.id)
        case .pauseGate:
            // More often open than paused.
            let isPaused = Int.random(in: 0..<4, using: &random) == 0
            try await bench.store.pauseGate(isPaused, gate(), reason: isPaused ? "Because." : nil)
        case .resolve:
            guard let submission = await ledger.submission(random.next()) else { return }
            do {
                _ = try await bench.store.resolve(
                    submission, owner: bench.owner.id, remoteID: "found", remoteURL: nil)
            } catch StoreError.changed {
            }
        case .passGateTime:
            try await bench.passTime(.seconds(Int.random(in: 1...1200, using: &random)), at: gate())
        case .like:
            let isLiked = Bool.random(using: &random)
            try await onPhoto { bench, photo in
                _ = try await bench.store.setLike(isLiked, on: photo, by: bench.owner.id)
            }
        case .connect:
            // As it was: its bound and gap belong to the number.
            let index = Int.random(in: 0..<accounts.count, using: &random)
            try await bench.connectAccount(index, named: accounts[index])
        case .passTime:
            let connection = connections[Int.random(in: 0..<connections.count, using: &random)]
            try await bench.passTime(.seconds(Int.random(in: 1...1200, using: &random)), in: connection)
        case .rescue: _ = try await bench.store.rescueJobs(limit: Int.random(in: 1...5, using: &random))
        case .sweep:
            let woken = try await bench.store.sweepLanes()
            #expect(woken == 0, "a sweep found lanes that slept with work")
        }
    }

    private mutating func gate() -> String { Bench.gates[Int.random(in: 0..<Bench.gates.count, using: &random)] }

    // MARK: A phone

    private mutating func post() async throws {
        let count = Int.random(in: 1...4, using: &random)
        let targets = connections.shuffled(using: &random).prefix(count)
        let posted = try await bench.post(to: Array(targets), age: .seconds(3600))
        await ledger.acknowledge(posted)
    }

    private mutating func edit() async throws {
        try await onPhoto { bench, photo in
            let view = try await bench.store.photo(photo, viewer: bench.owner.id)
            let submissions = try await bench.store.submissions(of: [photo])[photo] ?? []
            try await bench.store.edit(
                photo, owner: bench.owner.id, version: view.photo.version,
                edit: PhotoEdit(caption: "New words", altText: nil, visibility: nil),
                texts: submissions.map { ($0.id, .sample("New words")) }, posts: ChangePolicy(submissions.map(\.id)))
        }
    }

    /// Others may have deleted or changed the photo.
    private mutating func onPhoto(_ act: (Bench, PhotoID) async throws -> Void) async throws {
        guard let photo = await ledger.photo(random.next()) else { return }
        do {
            try await act(bench, photo)
        } catch StoreError.notFound {
        } catch StoreError.gone {
        } catch StoreError.changed {
        }
    }

    // MARK: A worker

    /// Ends or gives back a job that is held. It may be lost already; that it is taken twice is a fault.
    private mutating func settle(
        _ act: (inout SplitMix64, PicsStore, ClaimedJob) async throws -> Bool
    ) async throws {
        guard !held.isEmpty else { return }
        let job = held.remove(at: Int.random(in: 0..<held.count, using: &random))
        settled.append(job)
        guard try await act(&random, bench.store, job) else { return }
        let isFirst = await ledger.settle(job)
        #expect(isFirst, "a lease was used twice")
    }

    private static func finish(
        _ job: ClaimedJob, in store: PicsStore, _ random: inout SplitMix64
    ) async throws -> Bool {
        let state = [Submission.State.done, .done, .rejected, .unknown, .cancelled].randomElement(using: &random)
        return try await store.finish(
            job, state: state ?? .done, remoteID: "1", report: AttemptReport(outcome: "ended"))
    }

    private static func release(
        _ job: ClaimedJob, in store: PicsStore, _ random: inout SplitMix64
    ) async throws -> Bool {
        let delay = [nil, Duration.zero, .milliseconds(1), .seconds(600), .seconds(5000)].randomElement(using: &random)
        let block = [nil, nil, nil, Duration.milliseconds(1), .seconds(300)].randomElement(using: &random)
        let state = try await store.release(
            job, delay: delay ?? nil, counts: .random(using: &random), isArmed: .random(using: &random),
            block: block ?? nil, report: AttemptReport(outcome: "temporary", problem: .other("Busy.")))
        return state != nil
    }

    private mutating func checkpoint() async throws {
        guard let job = held.randomElement(using: &random) else { return }
        _ = try await bench.store.checkpoint(
            job, journal: #"{"step": 1}"#, arm: .random(using: &random), lease: Bench.lease)
    }

    private mutating func extendLeases() async throws {
        let leases = (held + settled.suffix(3)).shuffled(using: &random).map { (id: $0.id, leaseNo: $0.leaseNo) }
        let kept = Set(try await bench.store.extendLeases(leases, lease: Bench.lease).map(\.id))
        settled += held.filter { !kept.contains($0.id) }
        held.removeAll { !kept.contains($0.id) }
    }

    /// A worker that was frozen comes back with a lease that it has used or lost.
    private mutating func comeLate() async throws {
        guard let job = settled.randomElement(using: &random) else { return }
        let isOurs = try await Self.finish(job, in: bench.store, &random)
        let released = try await Self.release(job, in: bench.store, &random)
        let checkpoint = try await bench.store.checkpoint(job, journal: "{}", arm: true, lease: Bench.lease)
        let isRefused = !isOurs && !released && checkpoint == nil
        #expect(isRefused, "a late worker was heard")
    }
}

extension Bench {
    /// The gates of the property test's lanes, and `*`, the gate of all lanes.
    static let gates = ["left", "right", "*"]

    /// Connects one of the accounts of the property test, whose bound and gap belong to its number.
    @discardableResult
    func connectAccount(_ number: Int, named name: String) async throws(StoreError) -> AccountID {
        try await connect(
            name, maximumRunning: 1 + number % 4, gap: number % 5 == 0 ? .milliseconds(5) : .zero,
            gate: Self.gates[number % 2], cap: number % 7 == 0 ? StartRate(jobs: 5, window: .seconds(600)) : nil)
    }
}
