internal import EventLoops
internal import Logging
internal import System

/// The `pics-media` processes of a pool, and the line before them.
final class MediaWorkers: Sendable {
    private struct State {
        /// Children that wait for work.
        var idle: [MediaChild] = []
        var running: Set<Int32> = []
        var isStopped = false
        /// Whether the kernel filters what a child asks of it; `nil` until one has answered.
        var isFiltered: Bool?
    }

    private let configuration: MediaPool.Configuration
    private let logger: Logger
    private let threads: BlockingThreads
    private let turnstile: Turnstile
    private let state = Lock(State())

    init(_ configuration: MediaPool.Configuration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        turnstile = Turnstile(makersOfOwner: configuration.children, lineLimit: configuration.lineLimit)
        threads = BlockingThreads(name: "media", count: turnstile.places)
    }

    var program: String { configuration.program }
    var limits: MediaLimits { configuration.limits }

    /// Nil until a process has answered.
    var isFiltered: Bool? { state.withLock(\.isFiltered) }

    /// The process ids of the children there are.
    var processes: [Int32] { state.withLock { $0.running.sorted() } }

    /// Refuses new requests, lets the running ones end and then ends the children.
    func stop() async {
        await turnstile.close()
        // A second call finds the threads ended, on which its work would wait for ever.
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return }
        await threads.run { [self] in
            let idle = state.withLock { state in
                defer { state.idle = [] }
                return state.idle
            }
            for child in idle { end(child) }
        }
        threads.stop()
    }

    /// Lets a process answer a request once it is its turn.
    func perform(
        _ request: MediaRequest, on inputs: [String], to outputs: [String] = [], _ turn: MediaTurn,
        logsRefusal: Bool = true, report: (@Sendable (Int, RenderedFacts) -> Void)? = nil
    ) async throws(MediaError) -> MediaReply {
        let bytes: [UInt8]
        do { bytes = try MediaMessage.encode(request) } catch { throw .failed(detail: "request: \(error)") }
        // Only tags can be this long.
        guard bytes.count <= MediaMessage.maxBytes, inputs.count + outputs.count <= MediaMessage.maxFiles else {
            throw .refused(.unsupported)
        }
        let isMaking = if case .probe = request { false } else { true }
        let place = Turnstile.Place(owner: turn.owner, isMaking: isMaking)
        try await turnstile.enter(place, turn.priority)
        defer { turnstile.leave(place) }
        let work = MediaWork()
        let result = await withTaskCancellationHandler {
            await threads.run { [self] () -> Result<MediaReply, MediaError> in
                Result { () throws(MediaError) in
                    let files = try MediaFiles(inputs: inputs, outputs: outputs)
                    let reply = try answer(to: request, bytes, with: files.descriptors, for: work) {
                        guard let report else { return }
                        files.keepOutput($0)
                        report($0, $1)
                    }
                    switch reply {
                    case .made: throw .mixedUp
                    case .probed, .rendered, .written:
                        files.keepOutputs()
                        return reply
                    case .refused(let refusal, let detail):
                        if logsRefusal {
                            logger.info("media file refused", ["reason": refusal.rawValue, "detail": detail])
                        }
                        throw .refused(refusal)
                    case .failed(let detail):
                        throw .failed(detail: detail)
                    }
                }
            }
        } onCancel: {
            work.cancel()
        }
        return try result.get()
    }

    /// Asks a child; of a video that is to be shown, for the frame that stands for it, and then another for pictures of that: a
    /// process that may start ffmpeg decodes nothing itself. Runs on a blocking thread.
    private func answer(
        to request: MediaRequest, _ bytes: [UInt8], with descriptors: [Int32], for work: MediaWork,
        _ report: (Int, RenderedFacts) -> Void
    ) throws(MediaError) -> MediaReply {
        guard case .render = request, try MediaFiles.isVideo(descriptors[0]) else {
            return try exchange(bytes, with: descriptors, as: .pictures, for: work, report)
        }
        let frame = try MediaFiles.memory("frame")
        let question: [UInt8]
        do { question = try MediaMessage.encode(MediaRequest.frame) } catch {
            throw .failed(detail: "request: \(error)")
        }
        let reply = try exchange(question, with: [descriptors[0], frame.number], as: .videos, for: work)
        guard case .written = reply else { return reply }
        return try exchange(bytes, with: [frame.number] + descriptors.dropFirst(), as: .pictures, for: work, report)
    }

    /// Asks a child and waits; runs on a blocking thread.
    private func exchange(
        _ request: [UInt8], with descriptors: [Int32], as role: MediaRole, for work: MediaWork,
        _ report: (Int, RenderedFacts) -> Void = { _, _ in }
    ) throws(MediaError) -> MediaReply {
        var lastDeath: ChildDeath?
        var reported = 0
        // A child that was killed from outside, while idle or later, is replaced once, unless somebody has its first results.
        for _ in 0..<2 where reported == 0 {
            let child = try takeChild(as: role)
            guard work.begin(with: child) else {
                end(child)
                throw .cancelled
            }
            let deadline = ContinuousClock.now.advanced(by: configuration.deadline)
            var outcome = child.ask(request, descriptors: descriptors, until: deadline)
            while case .answered(let bytes) = outcome, case .made(let number, let facts)? = Self.reply(in: bytes),
                // The last one is told of by the end.
                number == reported, number + 2 < descriptors.count
            {
                report(number, facts)
                reported += 1
                outcome = child.listen(until: deadline)
            }
            guard work.finish() else {
                end(child)
                throw .cancelled
            }
            switch outcome {
            case .answered(let bytes):
                switch Self.reply(in: bytes) {
                case nil, .made:
                    end(child)
                    throw .mixedUp
                case let reply?:
                    noteFilter(of: child)
                    release(child)
                    return reply
                }
            case .died:
                let death = end(child)
                logger.warning("media child died", ["pid": child.id, "detail": death.description])
                if death.isTheFilesFault { throw .refused(.tooCostly) }
                lastDeath = death
            case .silent:
                end(child)
                logger.warning("media child killed at its deadline", ["pid": child.id])
                throw .refused(.tooCostly)
            }
        }
        throw .failed(detail: lastDeath?.description ?? "pics-media died")
    }

    /// Nil when it is none.
    private static func reply(in bytes: [UInt8]) -> MediaReply? {
        do { return try MediaMessage.decode(MediaReply.self, from: bytes) } catch { return nil }
    }

    private func takeChild(as role: MediaRole) throws(MediaError) -> MediaChild {
        if role == .pictures, let child = state.withLock({ $0.idle.popLast() }) { return child }
        let child = try MediaChild.spawn(configuration.program, as: role, limits: configuration.limits)
        state.withLock { _ = $0.running.insert(child.id) }
        logger.debug("media child started", ["pid": child.id])
        return child
    }

    /// Notes whether the kernel filters what children ask of it, and says once that it does not.
    private func noteFilter(of child: MediaChild) {
        guard child.answers == 1 else { return }
        let isFiltered = child.isFiltered
        let wasFiltered = state.withLock { state in
            defer { state.isFiltered = isFiltered }
            return state.isFiltered ?? true
        }
        guard wasFiltered, !isFiltered else { return }
        logger.warning("pictures are opened without a filter of system calls: this kernel or container has no seccomp")
    }

    private func release(_ child: MediaChild) {
        // Videos are few, and what ffmpeg may have left behind ends with its process.
        if child.role == .videos || child.answers >= configuration.requestsPerChild {
            end(child)
        } else {
            state.withLock { $0.idle.append(child) }
        }
    }

    @discardableResult
    private func end(_ child: MediaChild) -> ChildDeath {
        child.kill()
        let death = child.reap()
        state.withLock { _ = $0.running.remove(child.id) }
        return death
    }
}
