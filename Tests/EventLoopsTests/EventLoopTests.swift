import Foundation
import Glibc
import TestTools
import Testing

@testable import EventLoops

private actor Counter {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var seen: [Int] = []

    init(on loop: EventLoop) { self.loop = loop }

    func append(_ value: Int) -> Bool {
        seen.append(value)
        return loop.isCurrent
    }

    func values() -> [Int] { seen }

    func timerOrder() async -> [Int] {
        await withCheckedContinuation { continuation in
            var order: [Int] = []
            for (number, delay) in [(3, 30), (1, 10), (2, 20), (9, 15)] {
                let timer = loop.schedule(after: .milliseconds(delay)) {
                    order.append(number)
                    if number == 3 { continuation.resume(returning: order) }
                }
                if number == 9 { timer.cancel() }
            }
        }
    }

    func read(from descriptor: Int32) async throws -> [UInt8] {
        var watch: Watch?
        let bytes: [UInt8] = try await withCheckedThrowingContinuation { continuation in
            do {
                watch = try loop.watch(descriptor, for: .readable) { _ in
                    var bytes = [UInt8](repeating: 0, count: 16)
                    let count = Glibc.read(descriptor, &bytes, 16)
                    watch?.cancel()
                    continuation.resume(returning: Array(bytes.prefix(count)))
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return bytes
    }
}

struct EventLoopTests {
    @Test func `an actor of a loop runs on that loop`() async throws {
        let loop = try EventLoop(name: "test")
        let counter = Counter(on: loop)

        for value in 0..<100 { #expect(await counter.append(value)) }

        #expect(await counter.values() == Array(0..<100))
        #expect(EventLoop.current == nil)
        loop.stop()
    }

    @Test func `timers fire in order of their moments and a cancelled one never`() async throws {
        let loop = try EventLoop(name: "test")

        #expect(await Counter(on: loop).timerOrder() == [1, 2, 3])
        loop.stop()
    }

    @Test func `a watched descriptor calls its handler when bytes arrive`() async throws {
        let loop = try EventLoop(name: "test")
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        #expect(write(ends[1], "hello", 5) == 5)

        #expect(try await Counter(on: loop).read(from: ends[0]) == Array("hello".utf8))

        loop.stop()
        for end in ends { close(end) }
    }

    @Test func `a loop that has stopped is not woken by what is still open and ready`() async throws {
        let loop = try EventLoop(name: "test")
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        // Nobody reads it.
        try #require(write(ends[1], "x", 1) == 1)
        /// How many descriptors wake the loop, its own two included, as Linux tells (proc(5), "fdinfo").
        func watchedCount() async -> Int {
            await withCheckedContinuation { continuation in
                loop.execute {
                    let path = "/proc/self/fdinfo/\(loop.poller.descriptor)"
                    let facts = try? String(contentsOfFile: path, encoding: .utf8)
                    continuation.resume(returning: (facts ?? "").split(separator: "\n").count { $0.hasPrefix("tfd:") })
                }
            }
        }
        loop.execute { [end = ends[0]] in _ = try? loop.watch(end, for: .readable) { _ in } }
        #expect(await watchedCount() == 3)

        loop.stop()

        #expect(await watchedCount() == 2)
    }

    @Test func `a cancelled sleep ends at once`() async throws {
        let loop = try EventLoop(name: "test")
        let task = Task { try await loop.sleep(for: .seconds(3600)) }

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        loop.stop()
    }

    @Test func `work from a thousand tasks on other threads all arrives`() async throws {
        let loop = try EventLoop(name: "test")
        let counter = Counter(on: loop)

        await withTaskGroup(of: Void.self) { group in
            for value in 0..<1000 { group.addTask { _ = await counter.append(value) } }
        }

        #expect(await counter.values().sorted() == Array(0..<1000))
        loop.stop()
    }

    @Test func `a task that is always ready keeps the loop neither from descriptors nor from timers`() async throws {
        let loop = try EventLoop(name: "test")
        let counter = Counter(on: loop)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let isBusy = AsyncStream.makeStream(of: Void.self)
        let busy = Task(executorPreference: loop) {
            isBusy.continuation.yield()
            while !Task.isCancelled { await Task.yield() }
        }
        for await _ in isBusy.stream { break }
        #expect(write(ends[1], "hello", 5) == 5)

        #expect(try await counter.read(from: ends[0]) == Array("hello".utf8))
        #expect(await counter.timerOrder() == [1, 2, 3])

        busy.cancel()
        await busy.value
        loop.stop()
        for end in ends { close(end) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `the timer heap gives back every timer in order whatever is removed`(seed: UInt64) throws {
        let loop = try EventLoop(name: "test")
        var heap = TimerHeap()
        var random = SplitMix64(seed: seed)
        var timers = (0..<500).map { _ in
            LoopTimer(due: Moment(nanoseconds: Int64.random(in: 0..<10_000, using: &random)), loop: loop) {}
        }
        for timer in timers { _ = heap.insert(timer) }
        for _ in 0..<200 { heap.remove(timers.remove(at: Int.random(in: 0..<timers.count, using: &random))) }

        var order: [Int64] = []
        while let timer = heap.popDue(at: Moment(nanoseconds: .max)) { order.append(timer.due.nanoseconds) }

        #expect(order == timers.map(\.due.nanoseconds).sorted())
        loop.stop()
    }

    @Test func `a token of a removed watch does not reach the next owner of its place`() throws {
        let loop = try EventLoop(name: "test")
        var table = WatchTable()
        let first = Watch(descriptor: 1, interest: [], loop: loop) { _ in }
        let second = Watch(descriptor: 2, interest: [], loop: loop) { _ in }
        table.insert(first)
        table.remove(first)
        table.insert(second)

        #expect(table[first.token] == nil)
        #expect(table[second.token] === second)
        loop.stop()
    }
}

struct DeadlineTests {
    private struct Refusal: Error, Equatable {}

    @Test func `work within its time gives its value or its error`() async throws {
        let loop = try EventLoop(name: "test")

        #expect(try await loop.within(.seconds(60)) { 42 } == 42)
        await #expect(throws: Refusal()) { try await loop.within(.seconds(60)) { () -> Int in throw Refusal() } }
        loop.stop()
    }

    @Test func `work that takes longer is cancelled`() async throws {
        let loop = try EventLoop(name: "test")

        let value = try await loop.within(.milliseconds(1)) { () -> Int in
            do { try await loop.sleep(for: .seconds(3600)) } catch {}
            return 42
        }

        #expect(value == nil)
        loop.stop()
    }
}

struct BlockingThreadsTests {
    private struct Refusal: Error, Equatable {}

    @Test func `blocking work runs off the caller and gives its value or its error`() async throws {
        let threads = BlockingThreads(name: "test", count: 2)

        #expect(await threads.run { 6 * 7 } == 42)
        await #expect(throws: Refusal()) { try await threads.run { () throws(Refusal) in throw Refusal() } }
        threads.stop()
    }

    @Test func `work that comes after the threads were stopped is still done`() async {
        let threads = BlockingThreads(name: "test", count: 1)
        threads.stop()

        #expect(await threads.run { true })
    }

    @Test(.enabled(if: mayLowerNiceness, "threads keep what they have where it cannot be taken back"))
    func `nicer threads add to the niceness, and neither loops nor tasks that they resume do`() async throws {
        let usual = BlockingThreads(name: "usual", count: 1)
        let nicer = BlockingThreads(name: "nicer", count: 1, niceness: 10)
        defer {
            usual.stop()
            nicer.stop()
        }
        let loop = try EventLoop(name: "loop")
        defer { loop.stop() }
        let found = await usual.run { Self.niceness() }

        #expect(await nicer.run { Self.niceness() } == min(19, found + 10))
        for _ in 0..<20 {
            let resumed = Task.detached {
                await nicer.run {}
                return Self.niceness()
            }
            #expect(await resumed.value <= found)
        }
        let ofLoop = await withCheckedContinuation { answer in
            nicer.start { loop.execute { answer.resume(returning: Self.niceness()) } }
        }
        #expect(ofLoop <= found)
    }

    /// The calling thread's.
    private static func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
}
