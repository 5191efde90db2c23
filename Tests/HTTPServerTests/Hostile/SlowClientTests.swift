import EventLoops
import Foundation
import HTTP
import HTTPServer
import TestTools
import Testing

extension HostileTests {
    /// Clients that hold on to what others need.
    struct SlowClients {
        @Test func `heads that come byte by byte for ever are given up`() async {
            await #expect(processExitsWith: .success) {
                await withstand(limits: .with { $0.headerTime = .milliseconds(200) }, growth: 8 << 20) { siege in
                    let clients = try siege.clients(200)
                    for client in clients { try client.sendNow("GET / HTTP/1.1\r\nHost: h\r\nA: ") }

                    try await siege.drip(UInt8(ascii: "b"), to: clients)

                    for client in clients { #expect(try client.answerNow().status == 408) }
                }
            }
        }

        @Test(arguments: ["Content-Length: 1000000", "Transfer-Encoding: chunked"])
        func `bodies that come byte by byte for ever are given up`(framing: String) async {
            await #expect(processExitsWith: .success) { [framing = framing as String] in
                let route = Route(.post, "/") { .text("\(try await $0.body.collect(upTo: 1 << 20).count)") }
                let limits = Limits.with {
                    $0.bodyStall = .milliseconds(200)
                    $0.bodyRate = 1_000_000
                }
                await withstand([route], limits: limits, growth: 8 << 20) { siege in
                    let clients = try siege.clients(200)
                    for client in clients { try client.sendNow("POST / HTTP/1.1\r\nHost: h\r\n\(framing)\r\n\r\n1;") }

                    try await siege.drip(UInt8(ascii: "b"), to: clients)

                    for client in clients { #expect(try client.answerNow().status == 408) }
                }
            }
        }

        @Test(arguments: ["bytes", "file", "stream", "pipeline"])
        func `answers of fifty megabytes that nobody reads are given up`(kind: String) async {
            await #expect(processExitsWith: .success) { [kind = kind as String] in
                let large = try LargeResponses()
                let limits = Limits.with { $0.writeStall = .milliseconds(200) }
                await withstand(large.routes, limits: limits, growth: 16 << 20) { siege in
                    let clients = try siege.clients(20)
                    for client in clients { try client.sendNow(large.request(kind)) }
                    for client in clients { try await client.receive(until: "\r\n\r\n") }

                    try await siege.holds()
                    try await siege.isDeserted()

                    for client in clients { await #expect(throws: Client.Failure.self) { try await client.skipRest() } }
                    #expect(large.begun == (kind == "stream" ? 20 : 0))
                    try await siege.until { large.ended == large.begun }
                }
            }
        }

        @Test func `connections that are open on one side only are let go`() async {
            await #expect(processExitsWith: .success) {
                let cancelled = Box(0)
                let routes = [
                    Route(.post, "/") { .text("\(try await $0.body.collect(upTo: 100).count)") },
                    Route(.get, "/never") { _ in
                        defer { cancelled.update { $0 += 1 } }
                        try await EventLoop.current?.sleep(for: .seconds(3600))
                        return .noContent
                    },
                ]
                let limits = Limits.with {
                    $0.idle = .seconds(1)
                    $0.headerTime = .milliseconds(200)
                    $0.bodyStall = .milliseconds(200)
                    $0.halfClosed = .milliseconds(100)
                }
                await withstand(routes, limits: limits, growth: 8 << 20) { siege in
                    let beginnings = [
                        "", "GE", "GET / HTTP/1.1\r\nHost: h\r\n",
                        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc",
                        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc", lastGet("/none"),
                    ]
                    let silent = try beginnings.flatMap { _ in try siege.clients(20) }
                    let ended = try beginnings.flatMap { _ in try siege.clients(20) }
                    let waiting = try siege.clients(20)
                    for clients in [silent, ended] {
                        for (number, client) in clients.enumerated() { try client.sendNow(beginnings[number / 20]) }
                    }
                    for client in ended { client.endWriting() }
                    for client in waiting {
                        try client.sendNow("GET /never HTTP/1.1\r\nHost: h\r\n\r\n")
                        client.endWriting()
                    }

                    // Nobody closes his end, and nobody reads.
                    try await siege.isDeserted()

                    try await siege.until { cancelled.value == waiting.count }
                    withExtendedLifetime((silent, ended)) {}
                }
            }
        }
    }
}
