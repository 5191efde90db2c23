internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One order of a card at Prodigi.
struct ProdigiPosting: Sendable {
    private static let orderKey = "order"
    /// The address of a picture is good for a day: whoever has not fetched it then will not.
    private static let longestFetch: TimeInterval = 24 * 3600
    /// Between two looks, in seconds: they grow rarer where an order waits in the account's edit window.
    private static let fetchPause: ClosedRange<TimeInterval> = 60...1800

    let task: SubmissionTask
    let api: ProdigiAPI
    let formats: [PrintFormat]
    let method: String
    let check: @Sendable (PostalAddress) throws(SubmissionError) -> PostalAddress

    private var client: ServiceClient { api.client }
    private var item: ProdigiItem { ProdigiItem(task.account.settings) }

    func submit() async throws(SubmissionError) -> Receipt {
        try await task.ordering(client, reconcile) { isOpen throws(SubmissionError) in
            let print = try task.confirmedPrint(formats, of: client.service)
            let recipient = try check(print.order.recipient)
            let file = try await task.file(filling: print.format)
            // With a request open the look has asked for the price.
            if !isOpen {
                try await api.quote(item, to: recipient.country, by: method).check(print.price, at: client.service)
            }
            let address = try await task.address()
            let order = try await task.publish("") { _ throws(SubmissionError) in
                try await api.order(item, picture: address, to: recipient, by: method, key: task.outboundKey)
            }
            task.progress(file.bytes, file.bytes)
            try await afterPublication { () throws(SubmissionError) in
                try await task.journal.record(Self.orderKey, .string(order.id))
                // The picture is fetched after the answer, and its address ends with the submission.
                if !order.isDoneWithPicture { throw .notYet(checkAfter: .seconds(Self.fetchPause.lowerBound)) }
            }
            return Receipt(remoteID: order.id, url: nil)
        }
    }

    /// Looks for the order by its reference. Where it is not listed, asking again is safe: Prodigi remembers keys "indefinitely". What could become a new order
    /// at a price that nobody has confirmed is left to a person.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        if let id = await task.journal.value(Self.orderKey)?.string {
            return try await found(id, try await api.order(id))
        }
        if let order = try await api.order(of: task.outboundKey) { return try await found(order.id, order) }
        guard let print = task.order, let price = print.price else { return .cannotTell }
        do throws(SubmissionError) {
            let quote = try await api.quote(item, to: try check(print.recipient).country, by: method)
            return quote.total.isCovered(by: price) ? .repeatable : .cannotTell
        } catch {
            switch error {
            case .rejected, .gone: return .cannotTell
            default: throw error
            }
        }
    }

    /// The receipt, once Prodigi has the picture or had a day for it. An order that waits in the account's edit window is nil.
    private func found(_ id: String, _ order: ProdigiOrder?) async throws(SubmissionError) -> Reconciliation {
        let begun = await OpenOutcome.recorded(in: task.journal)?.last ?? .distantPast
        let age = task.now().timeIntervalSince(begun)
        guard order?.isDoneWithPicture == true || age >= Self.longestFetch else {
            let pause = min(max(age / 2, Self.fetchPause.lowerBound), Self.fetchPause.upperBound)
            throw .notYet(checkAfter: .seconds(pause))
        }
        return .found(Receipt(remoteID: id, url: nil))
    }
}
