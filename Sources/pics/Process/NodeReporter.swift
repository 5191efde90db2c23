import Actions
import EventLoops
import FoundationEssentials
import HTTPServer
import Logging
import Store

/// Tells the other processes of a Pics, through the database, that this one is there and how it is.
struct NodeReporter: Sendable {
    /// HOST/PROCESS.
    static let name = "\(ProcessInfo.processInfo.hostName)/\(ProcessInfo.processInfo.processIdentifier)"

    private let id = UUID()
    private let serves: Bool
    private let facts: ProcessFacts
    private let store: PicsStore
    private let threads: BlockingThreads
    private let logger: Logger

    init(_ facts: ProcessFacts, serves: Bool, in runtime: Runtime) {
        self.facts = facts
        self.serves = serves
        store = runtime.store
        threads = runtime.threads
        logger = runtime.logger
    }

    /// `metrics` are those of the server, in a process that serves.
    func task(_ metrics: MetricsSource? = nil) -> PeriodicTask {
        PeriodicTask("report-node", every: .seconds(10), atStart: true) {
            try await report(unknownProxy: await metrics?.server()?.unknownProxy)
        }
    }

    /// Says that it takes nothing new.
    func tellDraining() async { await noting { try await report() } }

    /// Says that it has ended; nobody misses it then.
    func tellEnd() async { await noting { try await store.forgetNode(id) } }

    private func report(unknownProxy: String? = nil) async throws {
        let process = await threads.run { [facts] in facts.read() }
        try await store.report(
            NodeReport(id: id, name: Self.name, serves: serves, process: process, unknownProxy: unknownProxy))
    }

    /// A process that ends does so without the database, too.
    private func noting(_ body: () async throws -> Void) async {
        do { try await body() } catch {
            logger.info("other processes not told", ["error": logText(of: error)])
        }
    }
}
