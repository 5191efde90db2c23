internal import EventLoops

/// A connection that hands out the bodies of its requests, in the same way whatever its version of HTTP.
///
/// A reader that finds too little is suspended, and resumed by the turn in which more has come, or when its task is
/// cancelled. `takePiece`, `continueIfOwed` and `beginWait` are called in a turn.
protocol BodyReading: Connection, BodySource {
    associatedtype Current: Exchange

    nonisolated var context: LoopContext { get }
    func turn(_ work: () -> Void)

    /// The exchange with this number; nil when it is over.
    func exchange(numbered number: UInt64) -> Current?
    /// The next piece, of what has come or can be received at once; nil when more has to come.
    func takePiece(_ exchange: Current) -> Result<ArraySlice<UInt8>?, BodyError>?
    /// Whether taking a piece is worth a try.
    func hasNews(_ exchange: Current) -> Bool
    /// Tells the client to send the body, if it waits for that.
    func continueIfOwed(_ exchange: Current)
    /// A reader waits from now on.
    func beginWait(_ exchange: Current)
    /// The time that the reader has waited so far counts for the least rate; what is waited for next begins.
    func countWait(_ exchange: Current)
}

extension BodyReading {
    func nextPiece(of number: UInt64) async throws(BodyError) -> ArraySlice<UInt8>? {
        guard let exchange = exchange(numbered: number) else { throw .incomplete }
        precondition(exchange.bodyWaiter == nil, "two readers of one body")
        var ready: Result<ArraySlice<UInt8>?, BodyError>?
        turn { ready = takePiece(exchange) }
        if let ready { return try ready.get() }
        return try await suspendReader(exchange)
    }

    func awaitNews(of number: UInt64) async throws(BodyError) {
        guard let exchange = exchange(numbered: number) else { throw .incomplete }
        precondition(exchange.bodyWaiter == nil, "two readers of one body")
        turn { continueIfOwed(exchange) }
        guard !hasNews(exchange) else { return }
        exchange.awaitsNews = true
        _ = try await suspendReader(exchange)
    }

    func presentPiece(of number: UInt64) throws(BodyError) -> PresentPiece {
        guard let exchange = exchange(numbered: number) else { throw .incomplete }
        var ready: Result<ArraySlice<UInt8>?, BodyError>?
        turn { ready = takePiece(exchange) }
        guard let ready else { return .notYet }
        return try ready.get().map { .bytes($0) } ?? .end
    }

    /// Until something has come, or the piece itself.
    private func suspendReader(_ exchange: Current) async throws(BodyError) -> ArraySlice<UInt8>? {
        let (loop, number) = (context.loop, exchange.number)
        // The turn before may have found the client gone, and nobody would resume the reader.
        guard self.exchange(numbered: number) != nil else { throw .incomplete }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                exchange.bodyWaiter = Exchange.Waiter(waiter)
                turn { beginWait(exchange) }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.resumeReader(of: number, with: .failure(.cancelled)) } }
        }
        return try result.get()
    }

    /// Gives a waiting reader what has come meanwhile, if that is enough for it.
    func serveReader(_ exchange: Current) {
        guard exchange.bodyWaiter != nil, hasNews(exchange) else { return }
        if exchange.awaitsNews { return resumeReader(of: exchange.number, with: .success(nil)) }
        guard let piece = takePiece(exchange) else { return }
        resumeReader(of: exchange.number, with: piece)
    }

    func resumeReader(of number: UInt64, with result: Result<ArraySlice<UInt8>?, BodyError>) {
        guard let exchange = exchange(numbered: number), let waiter = exchange.bodyWaiter else { return }
        (exchange.bodyWaiter, exchange.awaitsNews) = (nil, false)
        waiter.resume(returning: result)
        countWait(exchange)
    }
}

/// A connection of any version of HTTP, as its loop sees it.
protocol Connection: Actor {
    /// Lets running requests end; no other is begun. With `keepsIdle`, a connection that could not be told in time waits for its next
    /// request, whose answer says that it closes.
    func drain(keepsIdle: Bool)
    /// Ends at once.
    func cut()
}

extension Connection {
    /// `drain`, called on the connection's loop.
    nonisolated func drainOnLoop(keepsIdle: Bool) { assumeIsolated { $0.drain(keepsIdle: keepsIdle) } }

    /// `cut`, called on the connection's loop.
    nonisolated func cutOnLoop() { assumeIsolated { $0.cut() } }
}
