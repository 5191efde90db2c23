import EventLoops
import HTTP
import HTTPServer
import Testing

/// Hostile clients. Each test has a process of its own, so that its memory is the test's alone, and
/// no two run at once.
@Suite(.serialized, .timeLimit(.minutes(5))) enum HostileTests {}

/// A server, and somebody beside the attackers who only wants to be served.
struct Siege {
    let server: TestServer
    let bystander: Bystander

    func client() throws -> Client { try server.client() }

    func clients(_ count: Int) throws -> [Client] { try (0..<count).map { _ in try client() } }

    /// Returns when the bystander was served a while longer: what the attackers do, they do meanwhile.
    func holds() async throws { try await bystander.isServed(20) }

    /// Sends each client's bytes, one with each answer that the bystander gets, until the server wants no more.
    func drip(_ byte: UInt8, to clients: [Client]) async throws {
        var listening = clients
        while !listening.isEmpty {
            try await bystander.isServed(1)
            listening = listening.filter { (try? $0.sendNow([byte])) != nil }
        }
    }

    /// Returns when it is so; the bystander is served meanwhile.
    func until(_ isSo: () async -> Bool) async throws {
        while await !isSo() { try await bystander.isServed(1) }
    }

    /// Returns when nobody but the bystander is connected.
    func isDeserted() async throws { try await until { await server.server.metrics().openConnections == 1 } }
}

/// Lets `attack` attack a server of these routes, and asks what must hold whatever it does: that somebody else is served
/// throughout, that the process does not grow by more than `growth` bytes, and that no connection and no descriptor is left.
///
/// Everything runs on one loop, so who waits for one waits for all. A millisecond passes with each answer that the other gets.
func withstand(
    _ routes: [Route] = [], limits: Limits = Limits(), growth: Int, _ attack: (Siege) async throws -> Void
) async {
    var limits = limits
    limits.linger = .milliseconds(50)
    limits.requestsPerConnection = .max
    limits.connections = .max
    limits.connectionsPerAddress = .max
    do {
        let clock = ManualClock()
        try await withServer(routes + [Bystander.route], limits: limits, clock: clock) { server in
            let bystander = try Bystander(at: server.address, clock: clock)
            let siege = Siege(server: server, bystander: bystander)
            // One-time allocations are made by now.
            try await bystander.isServed(200)
            let descriptors = ProcessState.openDescriptors
            let before = ProcessState.residentBytes
            bystander.forgetPeak()

            try await attack(siege)

            try await siege.holds()
            try await siege.isDeserted()
            let grown = bystander.peak - before
            #expect(grown <= growth || ProcessState.hasSanitizer, "the process grew by \(grown >> 10) KiB")
            #expect(ProcessState.openDescriptors <= descriptors, "descriptors are left")
            bystander.stop()
            while await server.server.metrics().openConnections > 0 { await Task.yield() }
        }
    } catch {
        Issue.record("\(error)")
    }
}
