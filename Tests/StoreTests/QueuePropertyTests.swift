import Domain
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct QueuePropertyTests {
    private static let clients = 8
    private static let steps = 500

    @Test func `whatever many clients do at once, no work is lost, doubled or forgotten`() async throws {
        try await withStore(connections: Self.clients) { bench in
            let accounts = (0..<20).map { "account \($0)" }
            var connections: [AccountID] = []
            for (number, name) in accounts.enumerated() {
                connections.append(try await bench.connectAccount(number, named: name))
            }
            try await bench.database.change(
                "UPDATE gates SET cap = 20, cap_window = '10 min' WHERE name = 'right'")
            let ledger = QueueLedger()

            try await withThrowingTaskGroup { [connections] group in
                for number in 0..<Self.clients {
                    group.addTask {
                        var client = QueueClient(
                            number, bench: bench, accounts: accounts, connections: connections, ledger: ledger)
                        for step in 1...Self.steps {
                            try await client.step()
                            if number == 0, step % 20 == 0 { try await expectRules(of: bench) }
                        }
                    }
                }
                try await group.waitForAll()
            }

            try await expectRules(of: bench)
            let acknowledged = await ledger.submissions.count
            let submissions = try await bench.database.number("SELECT count(*) FROM submissions")
            #expect(submissions == acknowledged)
            #expect(acknowledged > 500)
            try await drain(bench, accounts, connections)
        }
    }

    private func expectRules(of bench: Bench) async throws {
        let broken = try await bench.brokenRules()
        #expect(broken == [])
    }

    /// Everything that is left can be brought to its end.
    private func drain(_ bench: Bench, _ accounts: [String], _ connections: [AccountID]) async throws {
        for (number, name) in accounts.enumerated() { try await bench.connectAccount(number, named: name) }
        for gate in Bench.gates { try await bench.store.pauseGate(false, gate, reason: nil) }
        var rounds = 0
        while try await bench.database.number("SELECT count(*) FROM jobs") > 0, rounds < 1000 {
            for connection in connections { try await bench.passTime(.seconds(3600), in: connection) }
            for gate in Bench.gates { try await bench.passTime(.seconds(3600), at: gate) }
            _ = try await bench.store.rescueJobs()
            for job in try await bench.take(200) { try await bench.publish(job) }
            rounds += 1
        }

        let left = try await bench.database.number("SELECT count(*) FROM jobs")
        #expect(left == 0)
        let open = try await bench.database.number(
            "SELECT count(*) FROM submissions WHERE state NOT IN ('done', 'rejected', 'cancelled', 'unknown', 'deleted')"
        )
        #expect(open == 0)
        let swept = try await bench.store.sweepLanes()
        #expect(swept == 0)
        try await expectRules(of: bench)
    }
}
