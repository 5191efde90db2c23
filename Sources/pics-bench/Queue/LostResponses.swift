internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTPServer
internal import Store

/// Posts a backlog at a service that knows no keys and can only list what was posted, loses a tenth of its answers, kills a
/// worker every other second, and afterwards counts what became of it: nothing may be unknown or posted twice.
struct LostResponses: Sendable {
    struct Options: Sendable {
        /// Photos, each of which goes to both accounts.
        var submissions = 300
        var pause = Duration.seconds(2)
        var seed: UInt64 = 1
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
        let service = EffectService(dice: dice, cutsPerMille: 100)
        let (server, url) = try await service.start(on: try EventLoop(name: "service"))
        let lanes = try await stage.connect(2, service: ServiceMemory.listed.rawValue, maximumRunning: 1)
        var submitted: [[SubmissionID]] = []
        for _ in 0..<options.submissions { submitted.append(try await stage.post(to: lanes)) }
        say("\(options.submissions) photos wait for \(lanes.count) accounts, seed \(options.seed)")

        var crew = WorkerProcesses(stage: stage, url: url, seed: options.seed)
        let begun = Moment.now
        var killed = begun
        var left = Int.max
        while left > 0 {
            try crew.fill(to: 2)
            if Moment.now - killed > options.pause {
                killed = .now
                crew.killOne(dice.next())
                say("\(left) left")
            }
            try await stage.loops[0].sleep(for: .milliseconds(50))
            left = try await stage.number("SELECT count(*) FROM jobs")
        }
        crew.stop()
        say("\(Moment.now - begun): \(crew.kills) workers killed, \(service.cuts) answers lost")
        await server.stop(within: .zero)
        for (account, place) in zip(lanes, 0...) {
            let order = submitted.map { "pics-\($0[place])" }
            let turns = (service.posts[account.description] ?? []).compactMap(order.firstIndex)
            let overtaken = zip(turns, turns.dropFirst()).count { $0 > $1 }
            say("account \(place + 1): \(turns.count) posts, \(overtaken) after a newer one")
        }
        try await CrashHarness.verify(submitted.flatMap(\.self), service.effects, stage)
    }
}
