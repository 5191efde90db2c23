internal import Actions
package import Domain
internal import HTTP
package import HTTPServer
internal import Logging
internal import Store
internal import Submitters

/// Pausing and resuming the queue, for operators.
extension APIHandlers {
    /// `POST /v1/queue/pause`: holds all work back, or that of the named service or server; `{"gate", "reason"}`.
    package func pauseQueue(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await pauseQueue(true, request)
    }

    /// `POST /v1/queue/resume`: lets it go on at once, whatever breakers and limits say; `{"gate"}`.
    package func resumeQueue(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        try await pauseQueue(false, request)
    }

    private func pauseQueue(_ isPaused: Bool, _ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try await json(request)
        try body.refuseMembers(otherThan: ["gate", "reason"])
        for member in body.object ?? JSONObject() where member.value.string == nil {
            throw RequestProblem.invalid("#/\(member.name)", "It must be a string.")
        }
        let reason = try body["reason"]?.string.map { try PhotoDraft.text($0, "#/reason", limit: 500) }
        let gate = try await submissions.pauseGate(isPaused, body["gate"]?.string, reason: reason)
        logger.notice(isPaused ? "queue paused" : "queue resumed", ["gate": gate, "reason": reason])
        return .json(["items": JSONValue(try await store.gates().map(Self.body)), "next": .null])
    }

    /// `GET /v1/queue/gates`: what accounts share: services, servers that users named, and `*` before all.
    package func listGates(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        .json(["items": JSONValue(try await store.gates().map(Self.body)), "next": .null])
    }

    static func body(_ gate: GateStatus) -> JSONValue {
        [
            "gate": .string(gate.name), "paused": .bool(gate.isPaused), "reason": JSONValue(gate.reason),
            "breaker": .string(gate.breaker.rawValue), "opens_at": JSONValue(gate.opensAt),
            "problem": JSONValue(gate.problem), "lanes": .int(Int64(gate.lanes)),
            "lanes_failing": .int(Int64(gate.lanesFailing)),
            "cap": gate.cap.map { ["jobs": .int(Int64($0)), "used": .int(Int64(gate.used))] } ?? .null,
        ]
    }
}
