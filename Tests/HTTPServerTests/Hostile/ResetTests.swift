import EventLoops
import HTTP
import HTTPServer
import TestTools
import Testing

extension HostileTests {
    /// Clients that end their connections with a reset.
    struct Resets {
        /// The bytes sent before the reset, and the point that the server reaches.
        enum Stage: String, Codable, CaseIterable {
            case beforeARequest, inAHead, behindAHead, inABody, inChunks, behindARequest, whileItsHandlerRuns
            case inAnAnswerFromMemory, inAnAnswerFromAFile, inAStreamedAnswer, afterAnAnswer, withPipelinedRequests

            var message: String {
                switch self {
                case .beforeARequest: ""
                case .inAHead: "GET / HTTP/1.1\r\nHost: h\r\nA: b"
                case .behindAHead: "POST /body HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
                case .inABody: "POST /body HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc"
                case .inChunks: "POST /body HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc"
                case .behindARequest, .afterAnAnswer: "GET /small HTTP/1.1\r\nHost: h\r\n\r\n"
                case .whileItsHandlerRuns: "GET /never HTTP/1.1\r\nHost: h\r\n\r\n"
                case .inAnAnswerFromMemory: "GET /bytes HTTP/1.1\r\nHost: h\r\n\r\n"
                case .inAnAnswerFromAFile: "GET /file HTTP/1.1\r\nHost: h\r\n\r\n"
                case .inAStreamedAnswer: "GET /stream HTTP/1.1\r\nHost: h\r\n\r\n"
                case .withPipelinedRequests: String(repeating: "GET /small HTTP/1.1\r\nHost: h\r\n\r\n", count: 100)
                }
            }

            /// The bytes that have to arrive first.
            var awaited: String? {
                switch self {
                case .inAnAnswerFromMemory, .inAnAnswerFromAFile, .inAStreamedAnswer, .behindAHead: "\r\n\r\n"
                case .afterAnAnswer: "xxxx"
                default: nil
                }
            }
        }

        @Test(arguments: Stage.allCases)
        func `resets leave nothing behind at any stage`(stage: Stage) async {
            await #expect(processExitsWith: .success) { [stage = stage as Stage] in
                let large = try LargeResponses()
                let handlers = Box((begun: 0, ended: 0))
                let routes = [
                    Route(.get, "/") { _ in .noContent },
                    Route(.post, "/body") { .text("\(try await $0.body.collect(upTo: 100).count)") },
                    Route(.get, "/never") { _ in
                        handlers.update { $0.begun += 1 }
                        defer { handlers.update { $0.ended += 1 } }
                        try await EventLoop.current?.sleep(for: .seconds(3600))
                        return .noContent
                    },
                ]
                await withstand(routes + large.routes, growth: 8 << 20) { siege in
                    for round in 1...10 {
                        let clients = try siege.clients(20)
                        for client in clients { try client.sendNow(stage.message) }
                        if let awaited = stage.awaited {
                            for client in clients { try await client.receive(until: awaited) }
                        }
                        if stage == .whileItsHandlerRuns {
                            try await siege.until { handlers.value.begun == round * clients.count }
                        }
                        try await siege.bystander.isServed(1)
                        for client in clients { client.reset() }
                        try await siege.isDeserted()
                    }

                    // No handler and no producer goes on for a client that is gone.
                    try await siege.until { handlers.value.ended == handlers.value.begun && large.ended == large.begun }
                }
            }
        }
    }
}
