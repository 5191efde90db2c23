internal import HTTP
internal import System

/// Runs a service: lets it answer, or goes wrong as it was told, and remembers what came in.
package final class FakeHost: Sendable {
    /// The network's fault with an answer.
    package enum Outcome: Sendable {
        case response(FakeAnswer)
        /// Half of the answer at once, the rest when `hold()` returns.
        case slow(FakeAnswer)
        /// The connection breaks.
        case reset
    }

    private struct State {
        var faults: [String: [Fault]] = [:]
        var seen: [SeenRequest] = []
    }

    package let service: any FakeService
    private let state = Lock(State())
    private let gate = Gate()

    package init(_ service: any FakeService) {
        self.service = service
    }

    // MARK: For tests

    /// Makes the next request of a route go wrong; several faults of one route follow each other.
    package func fail(_ route: String, _ faults: Fault...) {
        precondition(service.routes.contains { $0.name == route }, "the fake has no route \(route)")
        state.withLock { $0.faults[route, default: []] += faults }
    }

    /// Forgets what was to go wrong.
    package func clearFaults() {
        state.withLock { $0.faults = [:] }
    }

    /// Waits until a slow answer has begun.
    package func untilSlow() async { await gate.untilHeld() }

    /// Lets the slow answers go on.
    package func releaseSlow() { gate.release() }

    /// Lets every slow answer go on, for the end of a test.
    package func stopHolding() { gate.open() }

    /// Every request so far, without those of the controls.
    package var requests: [SeenRequest] { state.withLock { $0.seen } }

    // MARK: For the network

    package func handle(_ request: FakeRequest) async -> Outcome {
        if let response = control(request) { return .response(response) }
        guard let (route, parameters) = match(request) else {
            return .response(note(request, "", service.refusal(404)))
        }
        let fault = state.withLock { state -> Fault? in
            guard state.faults[route.name]?.isEmpty == false else { return nil }
            return state.faults[route.name]?.removeFirst()
        }
        switch fault {
        case nil, Fault.none?:
            return .response(note(request, route.name, await route.response(request, parameters)))
        case .slow:
            return .slow(note(request, route.name, await route.response(request, parameters)))
        case .malformed:
            var response = await route.response(request, parameters)
            response.body = Array("<html>".utf8)
            return .response(note(request, route.name, response))
        case .status(let code, let fields, let body):
            var response = refusal(code, to: request, of: route)
            for field in fields { response.fields.set(field.name, field.value) }
            if let body { response.body = Array(body.utf8) }
            return .response(note(request, route.name, response))
        case .resetBefore:
            return noteReset(request, route.name)
        case .resetAfter:
            _ = await route.response(request, parameters)
            return noteReset(request, route.name)
        }
    }

    /// Returns when the rest of a slow answer may go.
    package func hold() async { await gate.hold() }

    private func refusal(_ code: Int, to request: FakeRequest, of route: FakeRoute) -> FakeAnswer {
        guard let sockets = service as? any FakeSocketService, sockets.isMessage(route) else {
            return service.refusal(code, of: route.name)
        }
        return sockets.refusal(code, to: request)
    }

    private func match(_ request: FakeRequest) -> (FakeRoute, FakeParameters)? {
        for route in service.routes {
            if let parameters = route.match(request) { return (route, parameters) }
        }
        return nil
    }

    private func note(_ request: FakeRequest, _ route: String, _ response: FakeAnswer) -> FakeAnswer {
        state.withLock {
            $0.seen.append(SeenRequest(request: request, route: route, status: response.status.code))
        }
        return response
    }

    private func noteReset(_ request: FakeRequest, _ route: String) -> Outcome {
        state.withLock { $0.seen.append(SeenRequest(request: request, route: route, status: nil)) }
        return .reset
    }
}
