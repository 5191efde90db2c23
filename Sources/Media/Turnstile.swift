internal import Domain
internal import System

/// Lets a fixed number of tasks in at once; the others wait in a line of bounded length, in which owners take turns.
///
/// It is no `AsyncSemaphore`, because it is fair to owners, and can be cancelled and closed. No owner takes all places: one is left
/// for others, and one of each owner's for looking at headers.
final class Turnstile: Sendable {
    /// The purpose of a permit.
    struct Place: Sendable {
        /// Nil for Pics itself.
        var owner: UserID?
        /// Whether they make pictures, and do not only look at a header.
        var isMaking = true
    }

    private struct Waiter {
        let ticket: Int
        let place: Place
        let continuation: CheckedContinuation<Result<Void, MediaError>, Never>
    }

    /// Those inside.
    private struct Crowd {
        private(set) var all = 0
        private(set) var makers = 0

        mutating func add(_ change: Int, isMaking: Bool) {
            all += change
            makers += isMaking ? change : 0
        }
    }

    private struct State {
        var inside = Crowd()
        var insideOfOwner: [UserID?: Crowd] = [:]
        var nextTicket = 0
        var line: FairLine<UserID?, Waiter>
        var isClosed = false
        var whenEmpty: [CheckedContinuation<Void, Never>] = []

        mutating func change(by change: Int, _ place: Place) {
            inside.add(change, isMaking: place.isMaking)
            var own = insideOfOwner[place.owner] ?? Crowd()
            own.add(change, isMaking: place.isMaking)
            insideOfOwner[place.owner] = own.all > 0 ? own : nil
        }
    }

    private let makersOfOwner: Int
    private let state: Lock<State>

    /// How many may be inside.
    var places: Int { makersOfOwner + 2 }

    /// - Parameters:
    ///   - makersOfOwner: How many of one owner may make pictures at once, at least 1.
    ///   - lineLimit: How many may wait.
    init(makersOfOwner: Int, lineLimit: Int) {
        self.makersOfOwner = makersOfOwner
        state = Lock(State(line: FairLine(limit: lineLimit)))
    }

    /// Waits for a place. The caller then calls `leave` once, with the same.
    ///
    /// - Throws: `.busy` when the line is full, `.cancelled` with the task, `.stopped` once it is closed.
    func enter(_ place: Place, _ priority: MediaTurn.Priority = .owner) async throws(MediaError) {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(ticket: ticket, place: place, continuation: continuation)
                let (decided, displaced) = state.withLock { state -> (Result<Void, MediaError>?, Waiter?) in
                    if state.isClosed { return (.failure(.stopped), nil) }
                    if Task.isCancelled { return (.failure(.cancelled), nil) }
                    // None of the waiting could get in either, or they would be inside.
                    if mayEnter(place, state) {
                        state.change(by: 1, place)
                        return (.success(()), nil)
                    }
                    return (nil, state.line.add(waiter, of: place.owner, rank: priority.rawValue))
                }
                if let decided { continuation.resume(returning: decided) }
                displaced?.continuation.resume(returning: .failure(.busy))
            }
        } onCancel: {
            let waiter = state.withLock { state in state.line.remove(of: place.owner) { $0.ticket == ticket } }
            waiter?.continuation.resume(returning: .failure(.cancelled))
        }
        try result.get()
    }

    /// Gives the place to the next in line.
    func leave(_ place: Place) {
        let (entering, whenEmpty) = state.withLock { state -> ([Waiter], [CheckedContinuation<Void, Never>]) in
            state.change(by: -1, place)
            var admitted: [Waiter] = []
            while let waiter = next(in: &state) {
                state.change(by: 1, waiter.place)
                admitted.append(waiter)
            }
            guard state.inside.all == 0 else { return (admitted, []) }
            defer { state.whenEmpty = [] }
            return (admitted, state.whenEmpty)
        }
        for waiter in entering { waiter.continuation.resume(returning: .success(())) }
        for continuation in whenEmpty { continuation.resume() }
    }

    private func next(in state: inout State) -> Waiter? {
        let (inside, owners) = (state.inside, state.insideOfOwner)
        return state.line.next(underWay: { owners[$0]?.all ?? 0 }) { _, waiter in
            mayEnter(waiter.place, inside, owners[waiter.place.owner] ?? Crowd())
        }?.element
    }

    private func mayEnter(_ place: Place, _ state: State) -> Bool {
        mayEnter(place, state.inside, state.insideOfOwner[place.owner] ?? Crowd())
    }

    private func mayEnter(_ place: Place, _ inside: Crowd, _ own: Crowd) -> Bool {
        guard inside.all < places, own.all < places - 1 else { return false }
        return !place.isMaking || inside.makers < places - 1 && own.makers < makersOfOwner
    }

    /// Sends away all that wait or come later; returns when nobody is inside any more.
    func close() async {
        let line = state.withLock { state in
            state.isClosed = true
            return state.line.removeAll()
        }
        for waiter in line { waiter.continuation.resume(returning: .failure(.stopped)) }
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if state.inside.all > 0 { state.whenEmpty.append(continuation) }
                return state.inside.all == 0
            }
            if isEmpty { continuation.resume() }
        }
    }
}
