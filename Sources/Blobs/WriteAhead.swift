internal import EventLoops
internal import System

/// The bytes of one writer that go to the disk while their caller goes on, in order.
///
/// A thread writes whatever is there until nothing is: a sleeping thread is woken once for several pieces, and so is a waiting caller.
final class WriteAhead: Sendable {
    /// The pieces of one writer that may wait or be written at once.
    static let most = 4

    private struct State {
        var waiting: [ArraySlice<UInt8>] = []
        /// Whether a thread writes, or is about to.
        var isRunning = false
        var isWriting = false
        var failure: BlobError?
        var caller: (most: Int, continuation: CheckedContinuation<Void, Never>)?

        var count: Int { waiting.count + (isWriting ? 1 : 0) }

        /// The caller, if it waits for no more than this.
        mutating func takeCaller() -> CheckedContinuation<Void, Never>? {
            guard let waiter = caller, count <= waiter.most else { return nil }
            caller = nil
            return waiter.continuation
        }
    }

    private let state = Lock(State())
    private let threads: BlockingThreads
    /// Of all writers of a store; each piece holds one until it is written.
    private let places: AsyncSemaphore
    private let write: @Sendable (ArraySlice<UInt8>) throws(BlobError) -> Void

    init(
        on threads: BlockingThreads, places: AsyncSemaphore,
        write: @escaping @Sendable (ArraySlice<UInt8>) throws(BlobError) -> Void
    ) {
        self.threads = threads
        self.places = places
        self.write = write
    }

    /// Takes a piece that has a place, and returns at once.
    func add(_ piece: ArraySlice<UInt8>) {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            state.waiting.append(piece)
            return !state.isRunning
        }
        if isFirst { threads.start { self.run() } }
    }

    /// Waits for half of the pieces when there are as many as may be.
    ///
    /// - Throws: As `wait`.
    func makeRoom() async throws(BlobError) {
        let isFull = state.withLock { $0.count >= Self.most }
        try await wait(untilAtMost: isFull ? Self.most / 2 : Self.most)
    }

    /// Waits until all is written but `most` pieces, one task at a time.
    ///
    /// - Throws: Why a piece could not be written; those behind it were dropped.
    func wait(untilAtMost most: Int) async throws(BlobError) {
        if state.withLock({ $0.count > most }) {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.count > most { state.caller = (most, continuation) }
                    return state.count <= most
                }
                if isDone { continuation.resume() }
            }
        }
        if let failure = state.withLock(\.failure) { throw failure }
    }

    /// Whether nothing is there to be written.
    var isIdle: Bool { state.withLock { $0.count == 0 } }

    /// Drops what waits.
    func drop() {
        let dropped = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting.count
        }
        for _ in 0..<dropped { places.signal() }
    }

    private func run() {
        while let piece = next() {
            do throws(BlobError) { try write(piece) } catch {
                // Later pieces fail with `.ended`, which does not say why.
                state.withLock { $0.failure = $0.failure ?? error }
                drop()
            }
            places.signal()
            let caller = state.withLock { state in
                state.isWriting = false
                return state.takeCaller()
            }
            caller?.resume()
        }
    }

    private func next() -> ArraySlice<UInt8>? {
        state.withLock { state in
            state.isRunning = !state.waiting.isEmpty
            guard state.isRunning else { return nil }
            state.isWriting = true
            return state.waiting.removeFirst()
        }
    }
}
