import Domain
import Foundation
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeTests {
    private func report(
        _ name: String, _ id: UUID = UUID(), isDraining: Bool = false, unknownProxy: String? = nil
    ) -> NodeReport {
        NodeReport(
            id: id, name: name, serves: true,
            process: ProcessStatus(
                version: "0.2.0", startedAt: Date(), isWorking: true, isDraining: isDraining, residentBytes: 5,
                openDescriptors: 6, diskFreeBytes: 7, diskTotalBytes: 8), unknownProxy: unknownProxy)
    }

    @Test func `a node is running, then draining, and gone once it has ended`() async throws {
        try await withStore { bench in
            let id = UUID()
            try await bench.store.report(report("a/1", id))
            #expect(try await bench.store.nodes().map(\.state) == [.running])

            try await bench.store.report(report("a/1", id, isDraining: true))
            let draining = try await bench.store.nodes()
            #expect(draining.map(\.state) == [.draining])
            #expect(draining.map(\.diskFreeBytes) == [7])

            try await bench.store.forgetNode(id)
            #expect(try await bench.store.nodes().isEmpty)
        }
    }

    @Test func `a node tells its connections, and keeps the proxy that it has seen`() async throws {
        try await withStore(connections: 3) { bench in
            let id = UUID()
            try await bench.store.report(report("a/1", id, unknownProxy: "10.0.0.5"))
            try await bench.store.report(report("a/1", id))

            let node = try #require(try await bench.store.nodes().first)
            #expect(node.unknownProxy == "10.0.0.5")
            #expect(node.mostConnections == 3)
            #expect(try await bench.store.connectionLimit() > 3)
        }
    }

    @Test func `a node that is not heard of is lost, and forgotten after a day`() async throws {
        try await withStore { bench in
            try await bench.store.report(report("a/1"))
            try await bench.database.change("UPDATE nodes SET seen_at = now() - interval '1 minute'")
            #expect(try await bench.store.nodes().map(\.state) == [.lost])

            try await bench.database.change("UPDATE nodes SET seen_at = now() - interval '25 hours'")
            try await bench.store.report(report("b/2"))
            #expect(try await bench.store.nodes().map(\.name) == ["b/2"])
        }
    }

    @Test func `a node shows the jobs whose leases it holds`() async throws {
        try await withStore { bench in
            let connection = try await bench.connect()
            _ = try await bench.post(to: [connection])
            let taken = try await bench.take()
            try await bench.store.report(report("worker"))

            #expect(taken.count == 1)
            #expect(try await bench.store.nodes().map(\.runningJobs) == [1])
        }
    }
}
