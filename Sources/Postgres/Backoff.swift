internal import EventLoops

/// Pauses that double from `first` to `most`, each between half and all of that, so that callers spread out.
struct ReconnectDelays {
    private let most: Duration
    private var next: Duration

    init(first: Duration, most: Duration) {
        self.most = most
        next = first
    }

    /// Waits; shorter when the task is cancelled, which the caller finds out by itself.
    mutating func pause(on loop: EventLoop) async {
        let pause = next * Double.random(in: 0.5...1)
        next = min(next * 2, most)
        do { try await loop.sleep(for: pause) } catch {}
    }
}
