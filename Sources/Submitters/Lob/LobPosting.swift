internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One order of a card at Lob.
struct LobPosting: Sendable {
    /// Lob forgets a key after 24 hours: what is older is only looked for.
    private static let keyLife: TimeInterval = 20 * 3600
    /// After a request, until a list that lacks its card is believed.
    private static let listDelay: TimeInterval = 600

    let task: SubmissionTask
    let api: LobAPI
    let formats: [PrintFormat]
    let sender: PostalAddress?

    private var client: ServiceClient { api.client }

    /// `prepare` gives the recipient of an order as it is printed, and the order's price.
    func submit(
        _ prepare: (PrintOrder) throws(SubmissionError) -> (PostalAddress, PrintQuote)
    ) async throws(SubmissionError) -> Receipt {
        try await task.ordering(client, reconcile) { _ throws(SubmissionError) in
            let print = try task.confirmedPrint(formats, of: client.service)
            guard let size = LobSize(rawValue: print.format.id) else {
                throw .productMissing(at: client.service)
            }
            let (recipient, quote) = try prepare(print.order)
            try quote.check(print.price, at: client.service)
            let file = try await task.file(filling: print.format)
            let card = try await task.publish("") { _ throws(SubmissionError) in
                try await api.order(
                    file, back: LobBack(size: size, message: print.order.message), to: recipient,
                    from: recipient.country == "US" ? nil : sender, key: task.outboundKey, progress: task.progress)
            }
            return Receipt(remoteID: card.id, url: nil)
        }
    }

    /// Looks for the card by the key in its metadata. While Lob remembers the key, asking again is safe; later the list alone tells, once it can have
    /// everything.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        if let card = try await api.card(of: task.outboundKey) {
            return .found(Receipt(remoteID: card.id, url: nil))
        }
        guard let outcome = await OpenOutcome.recorded(in: task.journal) else { return .cannotTell }
        if task.now() < outcome.first + Self.keyLife { return .repeatable }
        let wait = (outcome.last + Self.listDelay).timeIntervalSince(task.now())
        if wait > 0 { throw .notYet(checkAfter: .seconds(wait)) }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }
}
