internal import Domain
internal import EventLoops
internal import Jobs
internal import Store
internal import Submitters

/// The behaviour of a failing account, named as the account.
enum Trouble: String, CaseIterable {
    case dead
    case signedOut
    case limited
    case slow
    case silent

    func submit() async throws(SubmissionError) -> Receipt {
        switch self {
        case .dead: throw .temporary(SubmissionProblem(.other("It does not answer."), status: 503), retryAfter: nil)
        case .signedOut: throw .unauthorized(SubmissionProblem(.other("It does not know the token.")))
        case .limited: throw .limited(SubmissionProblem(.other("It is too much.")), .account, until: nil)
        case .slow: try? await EventLoop.current?.sleep(for: .seconds(10))
        case .silent: try? await EventLoop.current?.sleep(for: .seconds(86_400))
        }
        return Receipt(remoteID: "done", url: nil)
    }
}

/// Whether accounts in trouble, each with a thousand jobs waiting, make those of others wait.
enum FairnessBench {
    static func run(_ options: QueueBench.Options) async throws {
        let stage = try await QueueStage.open(options.conninfo)
        let submitter = InstantSubmitter()
        let troubles = Trouble.allCases
        let lanes = try await stage.connect(options.lanes - troubles.count, service: "instant", maximumRunning: 1)
        var troubled: [AccountID] = []
        for trouble in troubles {
            troubled += try await stage.connect(1, service: "instant", named: trouble.rawValue, maximumRunning: 2)
        }
        submitter.watch()
        try await stage.withWorker(16, submitter) { worker in
            let latency = PickupLatency(stage, submitter, worker)
            for _ in 0..<3 {
                try await latency.measure("\(lanes.count) accounts alone", lanes)
            }
            for _ in 0..<1000 { _ = try await stage.post(to: troubled) }
            for _ in 0..<3 {
                try await latency.measure("beside \(troubled.count) in trouble", lanes)
            }
            let waiting = try await stage.number("SELECT count(*) FROM jobs WHERE state = 'ready'")
            let running = try await stage.number("SELECT count(*) FROM jobs WHERE state = 'running'")
            say("of the accounts in trouble \(waiting) jobs wait and \(running) run")
        }
        await stage.close()
    }
}
