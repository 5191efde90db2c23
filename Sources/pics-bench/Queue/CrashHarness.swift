internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTPServer
internal import Postgres
internal import Store

/// Kills workers by SIGKILL at every point of a submission and at random, kills PostgreSQL, cuts the network, and afterwards
/// counts what the services have seen.
struct CrashHarness: Sendable {
    struct Options: Sendable {
        var submissions = 5000
        /// At least so many workers die before the rest may end in peace.
        var kills = 1000
        var workers = 4
        var seed: UInt64 = 1
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() async throws {
        let stage = try await QueueStage.open()
        do { try await run(on: stage) } catch {
            await stage.close()
            throw error
        }
        await stage.close()
    }

    private func run(on stage: QueueStage) async throws {
        let dice = KillSchedule(seed: options.seed, perMille: 0)
        let service = EffectService(dice: dice, cutsPerMille: 10)
        let (server, url) = try await service.start(on: try EventLoop(name: "service"))
        var lanes: [AccountID] = []
        for memory in ServiceMemory.allCases {
            lanes += try await stage.connect(
                20, service: memory.rawValue, maximumRunning: memory == .idempotent ? 2 : 1)
        }
        say("seed \(options.seed), \(options.workers) workers, \(lanes.count) lanes")

        var crew = WorkerProcesses(stage: stage, url: url, seed: options.seed)
        var submitted: [SubmissionID] = []
        var postmasters = 0
        let begun = Moment.now
        var told = begun
        while true {
            // New work comes as long as somebody has to die, and until all of it is there.
            if submitted.count < options.submissions || crew.kills < options.kills {
                if try await stage.numberInTheEnd("SELECT count(*) FROM jobs") < 400 {
                    submitted += await Self.retryUntilStored { try await stage.post(to: lanes) }
                }
            } else if try await stage.numberInTheEnd("SELECT count(*) FROM jobs") == 0 {
                break
            } else {
                service.calm()
            }
            try crew.fill(to: options.workers)
            if crew.kills < options.kills {
                if dice.next() % 20 == 0 { crew.killOne(dice.next()) }
                if dice.next() % 400 == 0, Self.killPostmaster(stage.folder) { postmasters += 1 }
            }
            if Moment.now - told > .seconds(10) {
                told = .now
                say("\(submitted.count) submitted, \(crew.kills) kills, \(postmasters) of PostgreSQL")
                fflush(nil)
            }
            try await stage.loops[0].sleep(for: .milliseconds(30))
        }
        crew.stop()
        say(
            "\(submitted.count) submissions in \(Moment.now - begun): \(crew.kills) workers killed, "
                + "PostgreSQL \(postmasters) times, network cut \(service.cuts) times")
        await server.stop(within: .zero)
        try await Self.verify(submitted, service.effects, stage)
    }

    /// A phone that asks again until it is told.
    private static func retryUntilStored(_ post: () async throws -> [SubmissionID]) async -> [SubmissionID] {
        // A post whose answer was lost may be there; its submissions are not acknowledged, and are judged all the same.
        (try? await post()) ?? []
    }

    private static func killPostmaster(_ folder: String) -> Bool {
        guard let file = try? String(contentsOfFile: "\(folder)/postgres/postmaster.pid", encoding: .utf8),
            let process = file.split(separator: "\n").first.flatMap({ pid_t($0) })
        else { return false }
        return kill(process, SIGKILL) == 0
    }

    // MARK: Judging

    /// Tells what became of all submissions, and throws when one was lost, left, posted twice, or unknown although the
    /// service can be asked.
    static func verify(_ submitted: [SubmissionID], _ effects: [String: Int], _ stage: QueueStage) async throws {
        struct Row: Sendable {
            let id: SubmissionID
            let service: String
            let state: String
        }
        let rows = try await stage.database.run(
            Query<Row>(
                "ends",
                "SELECT s.id, c.service, s.state FROM submissions s JOIN connections c ON c.id = s.connection_id"
            ) { row throws(PostgresError) in
                let id: UUID = try row.get("id")
                return Row(id: SubmissionID(id), service: try row.get("service"), state: try row.get("state"))
            })
        var faults: [String] = []
        let present = Set(rows.map(\.id))
        let lost = submitted.filter { !present.contains($0) }
        if !lost.isEmpty { faults.append("\(lost.count) acknowledged submissions are lost") }
        var table: [String: Int] = [:]
        for row in rows {
            let count = effects["pics-\(row.id)"] ?? 0
            table["\(row.service): \(row.state), \(count) effects", default: 0] += 1
            let isRight =
                switch (row.service, row.state) {
                case (ServiceMemory.blind.rawValue, "unknown"): count <= 1
                case (_, "done"): count == 1
                default: false
                }
            if !isRight { faults.append("\(row.service) \(row.id) is \(row.state) with \(count) effects") }
        }
        for (line, count) in table.sorted(by: { $0.key < $1.key }) { say("\(line): \(count)") }
        let left = try await stage.number("SELECT count(*) FROM jobs")
        let woken = try await stage.store.sweepLanes()
        let rescued = try await stage.number("SELECT count(*) FROM attempts WHERE outcome = 'lease_lapsed'")
        say("jobs left \(left), lanes that slept with work \(woken), leases that lapsed \(rescued)")
        if left + woken > 0 { faults.append("work is left") }
        guard faults.isEmpty else {
            throw Failure(description: "\(faults.count) faults: \(faults.prefix(10).joined(separator: "; "))")
        }
        say("every effect once")
    }
}

/// The worker processes of a harness.
struct WorkerProcesses {
    let stage: QueueStage
    let url: String
    let seed: UInt64
    private var processes: [Process] = []
    private var started: UInt64 = 0
    private(set) var kills = 0

    init(stage: QueueStage, url: String, seed: UInt64) {
        self.stage = stage
        self.url = url
        self.seed = seed
    }

    /// Counts the dead, and starts as many as are missing.
    mutating func fill(to count: Int) throws {
        for process in processes where !process.isRunning {
            guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL else {
                throw CrashHarness.Failure(description: "a worker ended with \(process.terminationStatus)")
            }
            kills += 1
        }
        processes.removeAll { !$0.isRunning }
        while processes.count < count {
            started += 1
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [
                "crash-worker", "--database", stage.conninfo, "--folder", stage.folder, "--fake", url, "--seed",
                "\(seed &* 1_000_003 &+ started)",
            ]
            try process.run()
            processes.append(process)
        }
    }

    mutating func killOne(_ number: UInt64) {
        guard !processes.isEmpty else { return }
        kill(processes[Int(number % UInt64(processes.count))].processIdentifier, SIGKILL)
    }

    func stop() {
        for process in processes { kill(process.processIdentifier, SIGKILL) }
    }
}
