package import Domain
package import Logging

/// Pictures looked at and made by a few `pics-media` processes, one request at a time each.
///
/// The files are opened here and given to the process as descriptors, which has neither the rights nor the need to open
/// any. A file that crashes it, or that keeps it busy until the deadline, costs that process and is refused; the next
/// request gets a fresh one. When the calling task is cancelled, the process that works for it is killed.
///
/// A pool works for somebody: owners take turns, so that one with many slow pictures delays nobody else's.
package struct MediaPool: Sendable {
    /// How the pool works.
    package struct Configuration: Sendable {
        /// Path of the program `pics-media`.
        package var program: String
        /// How many processes make pictures of one owner side by side. One more looks at headers, so that an upload never waits
        /// for pictures that are shown; and one more works for other owners.
        package var children: Int
        /// How many requests may wait for a process.
        package var lineLimit: Int
        /// How long one process may work on one request; a poster takes two, one after the other.
        package var deadline: Duration
        /// After so many requests a process is replaced, so that nothing lost in it adds up.
        package var requestsPerChild: Int
        /// The limits of each process.
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

    let workers: MediaWorkers
    private let turn: MediaTurn

    /// A pool without processes, which are started when they are needed; it works for Pics itself.
    package init(_ configuration: Configuration, logger: Logger) {
        self.init(workers: MediaWorkers(configuration, logger: logger), turn: MediaTurn(owner: nil))
    }

    private init(workers: MediaWorkers, turn: MediaTurn) {
        self.workers = workers
        self.turn = turn
    }

    /// The same pool, working for the owner of a photo.
    package func working(for owner: UserID, _ priority: MediaTurn.Priority = .owner) -> MediaPool {
        MediaPool(workers: workers, turn: MediaTurn(owner: owner, priority: priority))
    }

    /// Reads a picture's or video's header, and looks for the end of a picture.
    ///
    /// - Throws: `.refused(.damaged)` when the header cannot be read, or a picture's file ends before the picture does.
    package func probe(_ path: String) async throws(MediaError) -> PictureFacts {
        guard case .probed(let facts) = try await workers.perform(.probe, on: [path], turn) else { throw .mixedUp }
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
    ///   - report: Is called with the number of each as soon as its file is complete, before the others are, on a thread that should
    ///     not wait. What was reported stays, and is its caller's, also when a later one cannot be made.
    /// - Returns: The results, in their order.
    /// - Throws: The reason why one of them could not be made.
    package func render(
        _ path: String, _ wanted: [(rendition: Rendition, output: String)],
        report: (@Sendable (Int, RenderedFacts) -> Void)? = nil
    ) async throws(MediaError) -> [RenderedFacts] {
        let request = MediaRequest.render(wanted.map(\.rendition))
        let outputs = wanted.map(\.output)
        guard
            case .rendered(let facts) = try await workers.perform(
                request, on: [path], to: outputs, turn, report: report),
            facts.count == wanted.count
        else { throw .mixedUp }
        if let last = facts.last { report?(facts.count - 1, last) }
        return facts
    }

    /// Makes one picture of several as the new file `output`, in alternating lines.
    ///
    /// - Parameters:
    ///   - paths: Of pictures, as many as `interlace` asks for.
    ///   - output: The new file.
    ///   - interlace: The form of the result.
    /// - Returns: The result.
    /// - Throws: The reason why it could not be made.
    package func interlace(
        _ paths: [String], to output: String, as interlace: Interlace
    ) async throws(MediaError) -> RenderedFacts {
        guard
            case .rendered(let facts) = try await workers.perform(.interlace(interlace), on: paths, to: [output], turn),
            facts.count == 1
        else { throw .mixedUp }
        return facts[0]
    }

    /// Copies the picture or video to the new file `output` with the same compressed pixels and sound but without what `rules`
    /// do not keep.
    ///
    /// - Throws: `.refused(.unsupported)` for HEIC, for a file longer than `MediaLimits.fileBytes`, and for a video whose
    ///   private content cannot be told apart from its pictures: in motion JPEG, in other files, or among AVCHD's pictures. With
    ///   `rules.tags` as `tag` does; a video gets none.
    package func strip(_ path: String, to output: String, _ rules: StripRules = StripRules()) async throws(MediaError) {
        guard case .written = try await workers.perform(.strip(rules), on: [path], to: [output], turn) else {
            throw .mixedUp
        }
    }

    /// Copies the picture to the new file `output` with the same compressed pixels and `tags` written into its metadata.
    ///
    /// - Throws: `.refused(.unsupported)` for all but JPEG, PNG and WebP, and when the metadata has no room for the tags:
    ///   in a JPEG, EXIF and XMP hold 64 KiB each.
    package func tag(_ path: String, to output: String, with tags: PictureTags) async throws(MediaError) {
        guard case .written = try await workers.perform(.tag(tags), on: [path], to: [output], turn) else {
            throw .mixedUp
        }
    }

    /// Whether the kernel filters the system calls of processes that open pictures; starts one if none has answered yet.
    ///
    /// - Throws: The reason why no process answers.
    package func isFiltered() async throws(MediaError) -> Bool {
        if let known = workers.isFiltered { return known }
        do throws(MediaError) {
            // Any file will do. This one is there, and no picture.
            _ = try await workers.perform(.probe, on: [workers.program], turn, logsRefusal: false)
        } catch {
            guard case .refused = error else { throw error }
        }
        return workers.isFiltered ?? true
    }

    /// The process ids of the children there are.
    package var processes: [Int32] { workers.processes }

    /// Refuses new requests, lets the running ones end and then ends the children.
    package func stop() async { await workers.stop() }
}

extension MediaError {
    /// An answer of another kind than the question.
    package static let mixedUp = MediaError.failed(detail: "pics-media answered something else")
}
