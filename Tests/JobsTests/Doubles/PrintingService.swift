internal import Domain
internal import Foundation
internal import HTTP
internal import Submitters
internal import System

/// A printer that plays a script, knows its orders by their keys, and remembers what it was asked to do.
final class PrintingService: PrintingSubmitter, ServiceDouble {
    typealias Step = @Sendable (SubmissionTask) async throws(SubmissionError) -> Receipt

    private struct State {
        var steps: [Step] = []
        var looks: [Reconciliation] = []
        var states: [PrintState] = []
        var orders: [String] = []
        var calls: [String] = []
        var isTooLate = false
    }

    let description = ServiceDescription(
        id: "scripted", name: "Scripted", credentialFields: [], captionRule: .plain(.codePoints),
        mediaRule: MediaRule(pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 20),
        lane: LanePolicy(concurrency: 1), takesAltText: false, position: .never, hasPictureChoices: false,
        isOrdered: true)
    private let state = Lock(State())

    static let format = PrintFormat(
        id: "card", name: "Card", width: 300, height: 200, trimInset: 6, needsAllPixels: true, longestMessage: 100,
        mostLines: 4)

    // MARK: The script

    /// Scripts the next order that has no script yet; later ones are made.
    func play(_ step: @escaping Step) { state.withLock { $0.steps.append(step) } }

    /// Scripts the next look for an order; later ones find what is there, and can repeat what is not.
    func tell(_ reconciliation: Reconciliation) { state.withLock { $0.looks.append(reconciliation) } }

    /// Scripts what the next look at an order's state reads; the last one stays.
    func become(_ states: PrintState...) { state.withLock { $0.states = states } }

    /// Orders are cancelled no more.
    func refuseToCancel() { state.withLock { $0.isTooLate = true } }

    var calls: [String] { state.withLock { $0.calls } }
    /// The keys of orders, each as often as it was made.
    var orders: [String] { state.withLock { $0.orders } }

    /// Makes the order of a task, once for its key, as a service with idempotency keys does.
    func make(_ task: SubmissionTask) -> Receipt {
        state.withLock { if !$0.orders.contains(task.outboundKey) { $0.orders.append(task.outboundKey) } }
        return Receipt(remoteID: "order \(task.outboundKey)", url: nil)
    }

    // MARK: PrintingSubmitter

    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        let step = state.withLock { state -> Step? in
            state.calls.append("submit")
            return state.steps.isEmpty ? nil : state.steps.removeFirst()
        }
        if let step { return try await step(task) }
        try await task.journal.arm()
        return make(task)
    }

    func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        state.withLock { state in
            state.calls.append("reconcile")
            if !state.looks.isEmpty { return state.looks.removeFirst() }
            return state.orders.contains(task.outboundKey)
                ? .found(Receipt(remoteID: "order \(task.outboundKey)", url: nil)) : .repeatable
        }
    }

    func formats(_ settings: JSONValue) -> [PrintFormat] { [Self.format] }

    func isSandbox(_ settings: JSONValue) -> Bool { true }

    func check(
        _ recipient: PostalAddress, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> PostalAddress { try recipient.checked() }

    func quote(
        _ order: PrintOrder, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> PrintQuote {
        PrintQuote(total: PrintPrice(minorUnits: 270, currency: "GBP"), isEstimate: false, shippingMethod: "Budget")
    }

    func state(of post: PublishedPost) async throws(SubmissionError) -> PrintState {
        state.withLock { state in
            state.calls.append("state")
            guard state.states.count > 1 else { return state.states.first ?? PrintState(.ordered) }
            return state.states.removeFirst()
        }
    }

    func delete(_ post: PublishedPost) async throws(SubmissionError) {
        let isTooLate = state.withLock { state in
            state.calls.append("cancel \(post.remoteID.prefix(5))")
            return state.isTooLate
        }
        if isTooLate { throw .rejected(.tooLateToCancel, ProblemParameters(service: description.name)) }
    }
}
