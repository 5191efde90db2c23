package import HTTP
internal import Postgres
internal import Testing

/// A request that changes something, and how a test sees the change.
package struct ChangingRequest: Sendable, CustomTestStringConvertible {
    let name: String
    /// Makes the thing that the request changes; its name for `send` and `state`.
    let prepare: @Sendable (InProcessPics) async throws -> String
    let send: @Sendable (InProcessPics, String) async throws -> IncomingResponse
    /// SQL for the state of that thing as one text; its name is `$1`.
    let state: String
    /// The state before and after.
    let states: (before: String?, after: String?)
    /// The status of the request; of the same request sent again, when its first response was lost.
    let statuses: (first: Int, again: Set<Int>)

    package var testDescription: String { name }

    package init(
        _ name: String, state: String, from before: String?, to after: String?, _ first: Int, again: Set<Int>,
        prepare: @escaping @Sendable (InProcessPics) async throws -> String,
        send: @escaping @Sendable (InProcessPics, String) async throws -> IncomingResponse
    ) {
        self.name = name
        self.prepare = prepare
        self.send = send
        self.state = state
        states = (before, after)
        statuses = (first, again)
    }
}

extension FaultProxy {
    /// A violated constraint that no caller can cause.
    package static let defect = Fault.refused(sqlState: "23514", constraint: "never_violated")
}

extension InProcessPics {
    /// Sends a request again and again, each time to something new: its first statement fails, then its second, until one is
    /// beyond its last.
    ///
    /// Each time it has to happen as a whole or not at all, to say which, and to be what it would have been when it is sent again.
    /// - Returns: The number of its statements.
    @discardableResult
    package func failEachStatement(of request: ChangingRequest, _ fault: FaultProxy.Fault) async throws -> Int {
        // Connects, and prepares what is prepared once.
        _ = try await request.send(self, try await request.prepare(self))
        for number in 1... {
            let subject = try await request.prepare(self)
            #expect(try await state(subject, request) == request.states.before)
            faults.fail(number, fault)
            let response = try await request.send(self, subject)
            let hasFailed = faults.disarm()
            let state = try await state(subject, request)
            let facts = "\(request.name), statement \(number), \(fault): \(response.status.code) \(response.text)"
            let comment = Comment(rawValue: facts)
            if response.status.code == request.statuses.first {
                #expect(state == request.states.after, comment)
            } else {
                #expect(hasFailed, comment)
                check(response, fault, comment)
                #expect(state == request.states.before || state == request.states.after, comment)
                let again = try await request.send(self, subject)
                // A change that was not made is made now; one that was made may be told in another way.
                var statuses: Set = [request.statuses.first]
                if state == request.states.after { statuses.formUnion(request.statuses.again) }
                #expect(
                    statuses.contains(again.status.code),
                    "\(facts); again: \(again.status.code) \(again.text)\n\(logged.suffix(2000))")
                #expect(try await self.state(subject, request) == request.states.after, comment)
            }
            guard hasFailed else { return number - 1 }
        }
        return 0
    }

    /// Sends a request that changes nothing, in the same way.
    /// - Returns: The number of its statements.
    @discardableResult
    package func failEachStatement(
        of path: String, _ fault: FaultProxy.Fault, _ send: () async throws -> IncomingResponse
    ) async throws -> Int {
        let whole = try await send()
        for number in 1... {
            faults.fail(number, fault)
            let response = try await send()
            let comment = Comment(
                rawValue: "\(path), statement \(number), \(fault): \(response.status.code) \(response.text)")
            let hasFailed = faults.disarm()
            if response.status != whole.status { check(response, fault, comment) }
            guard hasFailed else {
                #expect(response.status == whole.status, comment)
                return number - 1
            }
        }
        return 0
    }

    /// A defect is told as one, trouble as trouble, and nothing of either is shown.
    private func check(_ response: IncomingResponse, _ fault: FaultProxy.Fault, _ comment: Comment) {
        var isDefect = false
        if case .refused("23514", _) = fault { isDefect = true }
        #expect(response.status.code == (isDefect ? 500 : 503), comment)
        #expect((response.fields["Retry-After"] == nil) == isDefect, comment)
        let type = response.fields["Content-Type"] ?? ""
        // Protocols of others tell problems in their own JSON.
        let isProtocols = type == "application/json" && response.text.hasPrefix("{\"error\":")
        #expect(
            type.hasPrefix("application/problem+json") || type.hasPrefix("text/html") || isProtocols, comment)
        for word in ["injected", "never_violated", "23514", "53100"] { #expect(!response.text.contains(word), comment) }
        guard isDefect else { return }
        #expect(!response.text.contains("cannot be reached"), comment)
        #expect(logged.contains("never_violated"), comment)
    }

    private func state(_ subject: String, _ request: ChangingRequest) async throws -> String? {
        try await database.one(
            Query("state of \(request.name)", request.state, [subject]) { row throws(PostgresError) in
                try row.get("state")
            })
    }
}

extension IncomingResponse {
    package var text: String { String(decoding: body, as: UTF8.self) }
}
