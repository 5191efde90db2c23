internal import Domain
internal import HTTP
internal import Submitters
internal import System

/// A service that plays a script and remembers what it was asked to do.
final class ScriptedSubmitter: Submitter, ServiceDouble {
    typealias Step = @Sendable (SubmissionTask) async throws(SubmissionError) -> Receipt
    typealias Look = @Sendable (SubmissionTask) async throws(SubmissionError) -> Reconciliation

    enum Call: Sendable, Equatable, CustomStringConvertible {
        case submit(SubmissionID)
        case reconcile(SubmissionID)
        case refresh

        var description: String {
            switch self {
            case .submit(let id): "submit \(id)"
            case .reconcile(let id): "reconcile \(id)"
            case .refresh: "refresh"
            }
        }
    }

    private struct State {
        var steps: [Step] = []
        var looks: [Look] = []
        var calls: [Call] = []
    }

    let description: ServiceDescription
    private let fresh: JSONValue?
    private let state = Lock(State())

    /// - Parameters:
    ///   - concurrency: Of an account's lane.
    ///   - media: What it takes; the original by default.
    ///   - position: What it is told of where photos were taken; by default all where originals are kept, else what is chosen.
    ///   - fresh: What it answers when it is asked for settings that have grown old.
    init(
        concurrency: Int = 1, media: MediaRule = MediaRule(copy: .tagged, pictureTypes: [], maximumPictureBytes: .max),
        position: PositionPolicy? = nil, fresh: JSONValue? = nil
    ) {
        description = ServiceDescription(
            id: "scripted", name: "Scripted", credentialFields: [],
            captionRule: CaptionRule(unit: .codePoints, limit: 140), mediaRule: media,
            lane: LanePolicy(concurrency: concurrency), takesAltText: true,
            position: position ?? (media.copy == .tagged ? .always : .chosen), settingsLife: .seconds(3600))
        self.fresh = fresh
    }

    // MARK: The script

    /// Scripts the next call of `submit` that has no script yet; calls after the script publish.
    ///
    /// One closure at a time: the compiler of Swift 6.3.1 crashes on several of this type as variadic arguments.
    func play(_ step: @escaping Step) { state.withLock { $0.steps.append(step) } }

    /// Scripts the next call of `reconcile` that has no script yet; calls after the script cannot tell.
    func look(_ look: @escaping Look) { state.withLock { $0.looks.append(look) } }

    /// An attempt that fails before anything could have been published.
    func fail(_ error: SubmissionError) { play { _ throws(SubmissionError) in throw error } }

    /// An attempt that sends its publishing request and gets no answer.
    func loseAnswer() {
        play { task throws(SubmissionError) in
            try await task.journal.arm()
            throw .unknownOutcome(SubmissionProblem(.other("The connection broke.")), retryAfter: nil)
        }
    }

    /// A look that says so.
    func tell(_ reconciliation: Reconciliation) { look { _ throws(SubmissionError) in reconciliation } }

    var calls: [Call] { state.withLock { $0.calls } }

    /// Publishes without fail.
    static let publish: Step = { task throws(SubmissionError) in
        try await task.journal.arm()
        return receipt(task.submission)
    }

    /// Publishes the file.
    static let publishFile: Step = { task throws(SubmissionError) in
        _ = try await task.file()
        return try await publish(task)
    }

    private static let shrug: Look = { _ throws(SubmissionError) in .cannotTell }

    static func receipt(_ submission: SubmissionID) -> Receipt {
        Receipt(remoteID: "post-\(submission)", url: "https://social.test/\(submission)")
    }

    // MARK: Submitter

    func refreshSettings(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue? {
        state.withLock { $0.calls.append(.refresh) }
        return fresh
    }

    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        let step = state.withLock { state in
            state.calls.append(.submit(task.submission))
            return state.steps.isEmpty ? Self.publish : state.steps.removeFirst()
        }
        return try await step(task)
    }

    func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        let look = state.withLock { state in
            state.calls.append(.reconcile(task.submission))
            return state.looks.isEmpty ? Self.shrug : state.looks.removeFirst()
        }
        return try await look(task)
    }
}

extension SubmissionTask {
    /// Why the journal cannot be armed; nil when it could.
    func refusalToArm() async -> SubmissionError? {
        do throws(SubmissionError) { try await journal.arm() } catch { return error }
        return nil
    }

    /// Why a step cannot be recorded; nil when it could.
    func refusalToRecord(_ key: String) async -> SubmissionError? {
        do throws(SubmissionError) { try await journal.record(key, 1) } catch { return error }
        return nil
    }
}
