internal import Curl
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

/// The controls that a fake has when it runs as a program of its own.
struct FakeControlTests {
    @Test func `a fake tells over HTTP what it has published and was asked`() async throws {
        try await withScene(.twitter) { scene in
            _ = await PlayedQueue(scene: scene).work()

            let effects = try await scene.control(.get, "effects")
            let requests = try await scene.control(.get, "requests")

            #expect(effects["count"] == 1)
            #expect(effects["posts"]?[0]?["text"] == .string(Scene.text))
            #expect(effects["posts"]?[0]?["media"]?[0]?["alt_text"] == .string(Scene.altText))
            #expect(requests[0]?["route"] == "GET /2/users/me")
            #expect(requests.array?.last?["status"] == 201)
        }
    }

    @Test func `a fake goes wrong as it is told over HTTP`() async throws {
        try await withScene(.mastodon) { scene in
            _ = try await scene.control(
                .post, "faults",
                ["route": "POST /api/v1/statuses", "fault": "status", "status": 429, "retry_after": 7, "times": 2])

            let end = scene.clock.now.addingTimeInterval(7)
            for _ in 0..<2 {
                #expect(await limitMet { try await scene.submit() }?.until == end)
            }
            #expect(await meaning { try await scene.submit() } == .published)
        }
    }

    @Test func `a fake says which faults and routes there are`() async throws {
        try await withScene(.mastodon) { scene in
            let response = try await scene.control(.post, "faults", ["route": "GET /nowhere", "fault": "slow"])

            #expect(response["routes"]?.array?.contains("POST /api/v1/statuses") == true)
        }
    }
}
