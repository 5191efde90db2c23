internal import EventLoops

extension HTTP1Connection {
    /// Looks again at what is waited for, and makes sure that the timer comes in time.
    ///
    /// The timer is not moved when a deadline moves away: it comes too early then, and is set anew. So a request that is
    /// answered at once costs no timer.
    func updateWait() {
        let present = presentWait
        if present != wait {
            wait = present
            // What makes a connection wait for a request or a handler has set the moment already.
            if present != .request, present != .handler { since = context.clock.now }
        }
        guard let limit = context.waitLimits.limit(of: present, exchange) else { return }
        let due = since.nanoseconds + limit
        if due < timerDue || timer == nil { setTimer(due) }
    }

    private func setTimer(_ due: Int64) {
        timer?.cancel()
        timerDue = due
        timer = context.schedule(after: .nanoseconds(due - context.clock.now.nanoseconds)) { [self] in timerFired() }
    }

    private var presentWait: Wait {
        switch phase {
        case .reading: return hasBacklog ? .reader : inbound.isEmpty ? .request : .head
        case .sending, .closing: return .reader
        case .discarding: return .rest
        case .lingering, .closed: return .end
        case .handling:
            guard let exchange else { return .request }
            if exchange.bodyWaiter != nil { return .body }
            if exchange.writeWaiter != nil { return .reader }
            if exchange.isStreaming { return .producer }
            return peerHasEnded && !exchange.isAbandoned ? .abandonedHandler : .handler
        }
    }

    private func timerFired() {
        timer = nil
        turn {
            guard let limit = context.waitLimits.limit(of: wait, exchange) else { return }
            if since.nanoseconds + limit <= context.clock.now.nanoseconds { expire() }
        }
    }

    private func expire() {
        switch wait {
        case .request, .rest, .end: close()
        case .reader: isBroken = true
        case .head: refuse(.tooSlow)
        case .body:
            guard let exchange else { return }
            exchange.bodyFailure = .tooSlow
            resumeReader(of: exchange.number, with: .failure(.tooSlow))
        case .handler:
            guard let exchange else { return }
            exchange.persists = false
            exchange.task?.cancel()
            send(Response(.handlerTooSlow), exchange)
        case .abandonedHandler:
            exchange?.isAbandoned = true
            exchange?.task?.cancel()
            since = context.clock.now
        case .producer: break
        }
    }
}
