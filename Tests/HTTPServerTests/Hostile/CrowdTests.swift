import HTTP
import HTTPServer
import Testing

extension HostileTests {
    /// More of everything than anybody needs.
    struct Crowds {
        /// Both ends are in one process, so each connection takes two descriptors: where a process may have 20,000 of them, it
        /// is a little less than ten thousand connections, and 4,000 are the least.
        @Test func `ten thousand idle connections cost little and keep nobody waiting`() async {
            await #expect(processExitsWith: .success) {
                let possible = (ProcessState.takeDescriptors() - 200) / 2
                #expect(possible >= 4_000)
                let count = min(ProcessState.hasSanitizer ? 1_000 : 10_000, possible)
                let route = Route(.get, "/", operation: .undocumented) { _ in .text("root") }
                let limits = Limits.with { $0.idle = .seconds(86_400) }
                await withstand([route], limits: limits, growth: count * 2048) { siege in
                    let clients = try siege.clients(count)
                    try await siege.until { await siege.server.server.metrics().openConnections == count + 1 }
                    // Half of them have been served and have come to rest again.
                    for client in clients.prefix(count / 2) { try client.sendNow(get()) }
                    for client in clients.prefix(count / 2) { #expect(try client.answerNow().status == 200) }

                    try await siege.holds()
                    #expect(await siege.server.server.metrics().openConnections == count + 1)

                    // A reset leaves no port behind that waits for a minute.
                    for client in clients { client.reset() }
                }
            }
        }

        @Test func `a hundred thousand requests in a row are answered in little memory`() async {
            await #expect(processExitsWith: .success) {
                let count = ProcessState.hasSanitizer ? 10_000 : 100_000
                let route = Route(.get, "/", operation: .undocumented) { _ in .text("#") }
                await withstand([route], growth: 16 << 20) { siege in
                    let client = try siege.client()
                    async let answered = client.skipRest(counting: UInt8(ascii: "#"))
                    let thousand = String(repeating: get(), count: 1_000)
                    for _ in 0..<(count / 1_000) { try await client.send(thousand) }
                    client.endWriting()

                    #expect(try await answered == count)
                }
            }
        }

        @Test func `requests without end of a client that reads nothing are given up`() async {
            await #expect(processExitsWith: .success) {
                let route = Route(.get, "/", operation: .undocumented) { _ in .text("root") }
                let limits = Limits.with { $0.writeStall = .milliseconds(200) }
                await withstand([route], limits: limits, growth: 16 << 20) { siege in
                    let clients = try siege.clients(2)
                    let many = Array(String(repeating: get(), count: 10_000).utf8)

                    await withTaskGroup(of: Void.self) { group in
                        for client in clients {
                            // Sends until the server has cut it off.
                            group.addTask { while (try? await client.send(many)) != nil {} }
                        }
                    }
                }
            }
        }

        @Test func `connections that come and go by the thousand leave nothing behind`() async {
            await #expect(processExitsWith: .success) {
                await withstand(growth: 8 << 20) { siege in
                    for round in 0..<20 {
                        let clients = try siege.clients(200)
                        for client in clients where round % 2 == 0 { try client.sendNow("GET / HTTP/1.1\r\n") }
                        for client in clients { client.reset() }
                        try await siege.bystander.isServed(1)
                    }
                }
            }
        }
    }
}
