internal import EventLoops
package import Logging

/// Pictures looked at and made by a few `pics-media` processes, one request at a time each.
///
/// The files are opened here and given to the process as descriptors, which has neither the rights nor the need to open
/// any. A file that crashes it, or that keeps it busy until the deadline, costs that process and is refused; the next
/// request gets a fresh one. When the calling task is cancelled, the process that works for it is killed.
package final class MediaPool: Sendable {
    /// How the pool works.
    package struct Configuration: Sendable {
        /// Path of the program `pics-media`.
        package var program: String
        /// How many processes make pictures side by side. One more looks at headers, so that an upload never waits for
        /// pictures that others want to see.
        package var children: Int
        /// How many requests may wait for a process.
        package var lineLimit: Int
        /// How long one process may work on one request; a poster takes two, one after the other.
        package var deadline: Duration
        /// After so many requests a process is replaced, so that nothing lost in it adds up.
        package var requestsPerChild: Int
        /// What each process may use.
        package var limits: MediaLimits

        package init(
            program: String, children: Int = 2, lineLimit: Int = 64, deadline: Duration = .seconds(20),
            requestsPerChild: Int = 500, limits: MediaLimits = MediaLimits()
        ) {
            self.program = program
            self.children = max(1, children)
            self.lineLimit = lineLimit
            self.deadline = deadline
            self.requestsPerChild = requestsPerChild
            self.limits = limits
        }
    }

    private struct State {
        /// Children that wait for work.
        var idle: [MediaChild] = []
        var running: Set<Int32> = []
        var isStopped = false
        /// Whether the kernel filters what a child asks of it; `nil` until one has answered.
        var isFiltered: Bool?
    }

    private let configuration: Configuration
    private let logger: Logger
    private let threads: BlockingThreads
    private let turnstile: Turnstile
    /// What all but looking at a header passes first.
    private let makersTurnstile: Turnstile
    private let state = Lock(State())

    /// A pool without processes; they are started when they are needed.
    package init(_ configuration: Configuration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        threads = BlockingThreads(name: "media", count: configuration.children + 1)
        turnstile = Turnstile(places: configuration.children + 1, lineLimit: configuration.lineLimit)
        makersTurnstile = Turnstile(places: configuration.children, lineLimit: configuration.lineLimit)
    }

    /// Reads a picture's or video's header, and looks for the end of a picture.
    ///
    /// - Throws: `.refused(.damaged)` when the header cannot be read, or a picture's file ends before the picture does.
    package func probe(_ path: String) async throws(MediaError) -> PictureFacts {
        guard case .probed(let facts) = try await perform(.probe, on: [path]) else { throw .mixedUp }
        return facts
    }

    /// Makes a rendition of the picture at `path` as the new file `output`; of a video, one of a frame near its beginning.
    ///
    /// - Throws: `.failed` also when there is no ffmpeg, which a video needs.
    package func render(
        _ path: String, to output: String, as rendition: Rendition
    ) async throws(MediaError) -> RenderedFacts {
        guard let facts = try await render(path, [(rendition, output)]).first else { throw .mixedUp }
        return facts
    }

    /// Makes several renditions of the picture at `path`, each as a new file; the picture is decoded once for all of them.
    ///
    /// - Parameters:
    ///   - path: Of the picture.
    ///   - wanted: Up to 15; none of them is there unless all are.
    /// - Returns: What they became, in their order.
    /// - Throws: The reason why one of them could not be made.
    package func render(
        _ path: String, _ wanted: [(rendition: Rendition, output: String)]
    ) async throws(MediaError) -> [RenderedFacts] {
        let request = MediaRequest.render(wanted.map(\.rendition))
        guard case .rendered(let facts) = try await perform(request, on: [path], to: wanted.map(\.output)),
            facts.count == wanted.count
        else { throw .mixedUp }
        return facts
    }

    /// Makes one picture of several as the new file `output`, in alternating lines.
    ///
    /// - Parameters:
    ///   - paths: Of pictures, as many as `interlace` asks for.
    ///   - output: The new file.
    ///   - interlace: What is made of them.
    /// - Returns: What it became.
    /// - Throws: The reason why it could not be made.
    package func interlace(
        _ paths: [String], to output: String, as interlace: Interlace
    ) async throws(MediaError) -> RenderedFacts {
        guard case .rendered(let facts) = try await perform(.interlace(interlace), on: paths, to: [output]),
            facts.count == 1
        else { throw .mixedUp }
        return facts[0]
    }

    /// Copies the picture or video to the new file `output` with the same compressed pixels and sound but without what `rules`
    /// do not keep.
    ///
    /// - Throws: `.refused(.unsupported)` for HEIC, for a file longer than `MediaLimits.fileBytes`, and for a video whose
    ///   private content cannot be told apart from its pictures: in motion JPEG, in other files, or among AVCHD's pictures.
    package func strip(_ path: String, to output: String, _ rules: StripRules = StripRules()) async throws(MediaError) {
        guard case .written = try await perform(.strip(rules), on: [path], to: [output]) else { throw .mixedUp }
    }

    /// Copies the picture to the new file `output` with the same compressed pixels and `tags` written into its metadata.
    ///
    /// - Throws: `.refused(.unsupported)` for all but JPEG, PNG and WebP, and when the metadata has no room for the tags:
    ///   in a JPEG, EXIF and XMP hold 64 KiB each.
    package func tag(_ path: String, to output: String, with tags: PictureTags) async throws(MediaError) {
        guard case .written = try await perform(.tag(tags), on: [path], to: [output]) else { throw .mixedUp }
    }

    /// Whether the kernel filters the system calls of processes that open pictures; starts one if none has answered yet.
    ///
    /// - Throws: The reason why no process answers.
    package func isFiltered() async throws(MediaError) -> Bool {
        if let known = state.withLock({ $0.isFiltered }) { return known }
        do throws(MediaError) {
            // Any file will do. This one is there, and no picture.
            _ = try await probe(configuration.program)
        } catch {
            guard case .refused = error else { throw error }
        }
        return state.withLock { $0.isFiltered ?? true }
    }

    /// The process ids of the children there are.
    package var processes: [Int32] {
        state.withLock { $0.running.sorted() }
    }

    /// Refuses new requests, lets the running ones end and then ends the children.
    package func stop() async {
        await makersTurnstile.close()
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

    private func perform(
        _ request: MediaRequest, on inputs: [String], to outputs: [String] = []
    ) async throws(MediaError) -> MediaReply {
        let bytes: [UInt8]
        do { bytes = try MediaMessage.encode(request) } catch { throw .failed(detail: "request: \(error)") }
        // Only tags can be this long.
        guard bytes.count <= MediaMessage.maxBytes, inputs.count + outputs.count <= MediaMessage.maxFiles else {
            throw .refused(.unsupported)
        }
        let isMaking = if case .probe = request { false } else { true }
        if isMaking { try await makersTurnstile.enter() }
        defer { if isMaking { makersTurnstile.leave() } }
        try await turnstile.enter()
        defer { turnstile.leave() }
        let work = MediaWork()
        let result = await withTaskCancellationHandler {
            await threads.run { [self] () -> Result<MediaReply, MediaError> in
                Result { () throws(MediaError) in
                    let files = try MediaFiles(inputs: inputs, outputs: outputs)
                    let reply = try answer(to: request, bytes, with: files.descriptors, for: work)
                    switch reply {
                    case .probed, .rendered, .written:
                        files.keepOutputs()
                        return reply
                    case .refused(let refusal, let detail):
                        logger.info("media file refused", ["reason": refusal.rawValue, "detail": detail])
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

    /// Asks a child; of a video that is to be shown, for the frame that stands for it, and then another for pictures of that: who
    /// may start ffmpeg decodes nothing himself. Runs on a blocking thread.
    private func answer(
        to request: MediaRequest, _ bytes: [UInt8], with descriptors: [Int32], for work: MediaWork
    ) throws(MediaError) -> MediaReply {
        guard case .render = request, try MediaFiles.isVideo(descriptors[0]) else {
            return try exchange(bytes, with: descriptors, as: .pictures, for: work)
        }
        let frame = try MediaFiles.memory("frame")
        let question: [UInt8]
        do { question = try MediaMessage.encode(MediaRequest.frame) } catch {
            throw .failed(detail: "request: \(error)")
        }
        let reply = try exchange(question, with: [descriptors[0], frame.number], as: .videos, for: work)
        guard case .written = reply else { return reply }
        return try exchange(bytes, with: [frame.number] + descriptors.dropFirst(), as: .pictures, for: work)
    }

    /// Asks a child and waits; runs on a blocking thread.
    private func exchange(
        _ request: [UInt8], with descriptors: [Int32], as role: MediaRole, for work: MediaWork
    ) throws(MediaError) -> MediaReply {
        var lastDeath: ChildDeath?
        // A child that was killed from outside, while idle or later, is replaced once.
        for _ in 0..<2 {
            let child = try takeChild(as: role)
            guard work.begin(with: child) else {
                end(child)
                throw .cancelled
            }
            let outcome = child.ask(
                request, descriptors: descriptors, until: .now.advanced(by: configuration.deadline))
            guard work.finish() else {
                end(child)
                throw .cancelled
            }
            switch outcome {
            case .answered(let bytes):
                noteFilter(of: child)
                giveBack(child)
                do {
                    return try MediaMessage.decode(MediaReply.self, from: bytes)
                } catch {
                    throw .failed(detail: "answer: \(error)")
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

    private func giveBack(_ child: MediaChild) {
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

extension MediaError {
    /// An answer of another kind than the question.
    fileprivate static let mixedUp = MediaError.failed(detail: "pics-media answered something else")
}
