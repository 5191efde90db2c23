package import Domain
package import FoundationEssentials
package import HTTP

/// A service that prints a photo on paper and mails it.
///
/// Each post is an order that costs money. A person confirms the price of each, and its account gets no photo without an order. Taking a post back cancels
/// its order, as long as the service lets that be done; later it is `.rejected(tooLateToCancel)`.
package protocol PrintingSubmitter: DeletingSubmitter {
    /// The products that an account may order, the usual first.
    func formats(_ settings: JSONValue) -> [PrintFormat]

    /// Whether orders of the account are tests: nothing is printed, mailed or charged.
    func isSandbox(_ settings: JSONValue) -> Bool

    /// Checks a recipient: always the form, and by the service where that costs nothing.
    ///
    /// - Returns: The address as it will be printed.
    /// - Throws: `.rejected`, whose `field` is a name of `PostalAddress.Field`.
    func check(
        _ recipient: PostalAddress, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> PostalAddress

    /// The price of an order now; the order's own price is not looked at.
    func quote(
        _ order: PrintOrder, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> PrintQuote

    /// The state of an order, and when it is looked at again.
    func state(of post: PublishedPost) async throws(SubmissionError) -> PrintState
}

/// A product: a card of one size.
package struct PrintFormat: Sendable, Equatable {
    /// `4x6`, or the service's own number of the product.
    package let id: String
    /// As people write it.
    package let name: String
    /// Of the picture with its bleed at 300 dpi, in pixels; it may also stand upright.
    package let width: Int
    package let height: Int
    /// The margin that is cut away at each side, in pixels; faces and words stay farther inside.
    package let trimInset: Int
    /// Whether a smaller picture has to be enlarged to `width` × `height`; else the ratio of the sides is enough.
    package let needsAllPixels: Bool
    /// The longest text on the back, in Unicode scalars, and its lines; 0 when the back stays empty.
    package let longestMessage: Int
    package let mostLines: Int

    package init(
        id: String, name: String, width: Int, height: Int, trimInset: Int, needsAllPixels: Bool,
        longestMessage: Int = 0,
        mostLines: Int = 0
    ) {
        self.id = id
        self.name = name
        self.width = width
        self.height = height
        self.trimInset = trimInset
        self.needsAllPixels = needsAllPixels
        self.longestMessage = longestMessage
        self.mostLines = mostLines
    }

    /// Of the picture, in dots per inch.
    package static let resolution = 300

    /// The surface that the picture has to fill.
    package var surface: PictureFill { PictureFill(width: width, height: height, enlarges: needsAllPixels) }

    /// Whether a text is printed on the back.
    package var hasWrittenBack: Bool { longestMessage > 0 }

    /// Whether a picture fills the card: the ratio of its sides is right within 0.5 %, and it has the pixels that are needed.
    package func fits(width: Int, height: Int) -> Bool {
        let (longer, shorter) = (max(width, height), min(width, height))
        let (wantedLonger, wantedShorter) = (max(self.width, self.height), min(self.width, self.height))
        guard shorter > 0, wantedShorter > 0 else { return false }
        let difference = Double(longer) / Double(shorter) / (Double(wantedLonger) / Double(wantedShorter)) - 1
        return abs(difference) <= 0.005 && (!needsAllPixels || (longer >= wantedLonger && shorter >= wantedShorter))
    }

    /// Whether a text can stand on the back.
    package func takes(message: String) -> Bool {
        message.unicodeScalars.count <= longestMessage
            && message.split(separator: "\n", omittingEmptySubsequences: false).count
                <= max(mostLines, 1)
            && message.unicodeScalars.allSatisfy { $0 == "\n" || !PostalAddress.isControl($0) }
    }
}

/// A card to a person. It has an address in it, and is stored sealed.
package struct PrintOrder: Sendable, Equatable {
    /// `PrintFormat.id`.
    package let format: String
    package let recipient: PostalAddress
    /// On the back.
    package let message: String
    /// The price that a person has confirmed; nil before.
    package let price: PrintPrice?

    package init(format: String, recipient: PostalAddress, message: String = "", price: PrintPrice? = nil) {
        (self.format, self.recipient, self.message, self.price) = (format, recipient, message, price)
    }
}

extension PrintOrder {
    package var json: JSONValue {
        [
            "format": .string(format), "recipient": recipient.json, "message": .string(message),
            "price": price?.json ?? .null,
        ]
    }

    /// Nil when a member is missing or is not of its kind.
    package init?(_ json: JSONValue) {
        guard let format = json["format"]?.string, let recipient = json["recipient"].flatMap(PostalAddress.init),
            let message = json["message"]?.string, let price = json["price"]
        else { return nil }
        let confirmed = PrintPrice(price)
        guard price.isNull || confirmed != nil else { return nil }
        self.init(format: format, recipient: recipient, message: message, price: confirmed)
    }
}

/// The price of an order.
package struct PrintQuote: Sendable, Equatable {
    /// The price that is confirmed and paid.
    package let total: PrintPrice
    /// Parts of it, where the service tells them.
    package let print: PrintPrice?
    package let post: PrintPrice?
    /// Whether the bill may differ: taxes come to it, or the service tells no prices.
    package let isEstimate: Bool
    /// Until it is there, in days, where the service tells.
    package let days: ClosedRange<Int>?
    /// The way of sending that the price is for, in the service's word.
    package let shippingMethod: String

    package init(
        total: PrintPrice, print: PrintPrice? = nil, post: PrintPrice? = nil, isEstimate: Bool,
        days: ClosedRange<Int>? = nil, shippingMethod: String
    ) {
        self.total = total
        self.print = print
        self.post = post
        self.isEstimate = isEstimate
        self.days = days
        self.shippingMethod = shippingMethod
    }
}

/// The state of an order. Nothing in it was written by the service but addresses of pages and a day.
package struct PrintState: Sendable, Equatable {
    package enum Stage: Sendable, Equatable {
        case ordered, inProduction, mailed, delivered, returned, cancelled
        case failed(Problem)
    }

    package let stage: Stage
    package let isCancellable: Bool
    /// Nil where the service does not tell it.
    package let cancellableUntil: Date?
    package let trackingURL: String?
    /// A day, as in `2026-11-30`.
    package let expectedDelivery: String?
    /// Of a picture of the card as it is printed, with the address: for its sender's eyes alone.
    package let previewURL: String?
    /// The trouble that keeps the order until somebody acts, and the page where they do.
    package let problem: Problem?
    package let actionURL: String?

    package init(
        _ stage: Stage, isCancellable: Bool = false, cancellableUntil: Date? = nil, trackingURL: String? = nil,
        expectedDelivery: String? = nil, previewURL: String? = nil, problem: Problem? = nil, actionURL: String? = nil
    ) {
        self.stage = stage
        self.isCancellable = isCancellable
        self.cancellableUntil = cancellableUntil
        self.trackingURL = trackingURL
        self.expectedDelivery = expectedDelivery
        self.previewURL = previewURL
        self.problem = problem
        self.actionURL = actionURL
    }
}
