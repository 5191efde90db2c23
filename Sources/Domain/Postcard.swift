package import FoundationEssentials

/// An order of a card on paper that shows a photo. Whom it is for is sealed, and no part of it.
package struct Postcard: Sendable, Equatable {
    /// How far it has come. Names are the wire's and the database's.
    package enum State: String, Sendable, CaseIterable {
        /// Its service has not confirmed it.
        case waiting
        case ordered
        case inProduction = "in_production"
        case mailed
        case delivered
        /// It came back to its service.
        case returned
        case cancelled
        /// Nothing was ordered, and will not be.
        case rejected
        /// It was ordered, and its service cannot make it.
        case failed
        /// Nobody knows whether it was ordered.
        case unknown

        /// Whether nothing more becomes of it.
        package var isEnd: Bool {
            switch self {
            case .waiting, .ordered, .inProduction, .mailed: false
            case .delivered, .returned, .cancelled, .rejected, .failed, .unknown: true
            }
        }
    }

    /// The facts that its service tells of an order.
    package struct Facts: Sendable, Equatable {
        package var isCancellable = false
        /// Nil where the service does not tell it.
        package var cancellableUntil: Date?
        /// A day, as in `2026-11-30`.
        package var expectedOn: String?
        package var trackingURL: String?
        /// Of a picture of the card, with the address: for its owner's eyes alone.
        package var previewURL: String?
        /// Where its owner goes on, as with a payment.
        package var actionURL: String?

        package init() {}
    }

    package let id: PostcardID
    package let photo: PhotoID
    package let code: ShortCode
    package let connection: AccountID
    package let service: String
    /// The account's name.
    package let account: String
    /// The service's own number of the product.
    package let format: String
    /// The price that was confirmed, in the currency's smallest unit.
    package let priceMinor: Int64
    /// ISO 4217.
    package let priceCurrency: String
    /// Whether it is a test: nothing is printed, mailed or charged.
    package let isSandbox: Bool
    package let state: State
    /// Since when it is so.
    package let stateAt: Date
    /// As its service names it.
    package let remoteID: String?
    package let isCancelWanted: Bool
    package let problem: Problem?
    package let facts: Facts
    package let createdAt: Date

    package init(
        id: PostcardID, photo: PhotoID, code: ShortCode, connection: AccountID, service: String, account: String,
        format: String, priceMinor: Int64, priceCurrency: String, isSandbox: Bool, state: State, stateAt: Date,
        remoteID: String?, isCancelWanted: Bool, problem: Problem?, facts: Facts, createdAt: Date
    ) {
        (self.id, self.photo, self.code, self.connection) = (id, photo, code, connection)
        (self.service, self.account, self.format) = (service, account, format)
        (self.priceMinor, self.priceCurrency, self.isSandbox) = (priceMinor, priceCurrency, isSandbox)
        (self.state, self.stateAt, self.remoteID) = (state, stateAt, remoteID)
        (self.isCancelWanted, self.problem, self.facts, self.createdAt) = (isCancelWanted, problem, facts, createdAt)
    }

    /// Whether its owner may ask for its end now.
    package var canBeCancelled: Bool {
        !isCancelWanted && (state == .waiting || !state.isEnd && facts.isCancellable)
    }

    /// The associated data of a sealed order: one cannot be put in another's row.
    package static func context(of id: String) -> String { "print order/\(id)" }
}

package typealias PostcardID = Identifier<Postcard>
