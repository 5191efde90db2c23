import EventLoops
import System
import Testing

struct AsyncSemaphoreTests {
    @Test(arguments: [1, 3])
    func `no more are in than there are places`(count: Int) async {
        let semaphore = AsyncSemaphore(count: count)
        let inside = Lock((now: 0, most: 0, all: 0))

        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    await semaphore.wait()
                    inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
                    await Task.yield()
                    inside.withLock { $0.now -= 1 }
                    semaphore.signal()
                }
            }
        }

        let (now, most, all) = inside.withLock { $0 }
        #expect(now == 0)
        #expect(most <= count)
        #expect(all == 300)
    }

    @Test func `who has waited longest comes next`() async throws {
        let semaphore = AsyncSemaphore(count: 1)
        let loop = try EventLoop(name: "test")
        let order = Lock<[Int]>([])
        await semaphore.wait()

        // Each is in line before the next begins.
        var tasks: [Task<Void, Never>] = []
        for number in 0..<200 {
            tasks.append(
                Task(executorPreference: loop) {
                    await semaphore.wait()
                    order.withLock { $0.append(number) }
                    semaphore.signal()
                })
            while semaphore.waitingCount <= number { await Task(executorPreference: loop) {}.value }
        }
        semaphore.signal()
        for task in tasks { await task.value }

        let came = order.withLock { $0 }
        #expect(came == Array(0..<200))
        loop.stop()
    }
}
