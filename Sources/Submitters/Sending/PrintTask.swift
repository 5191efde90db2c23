internal import Crypto
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// An order that is complete, with its product and its confirmed price, before anything is asked.
struct ConfirmedPrint: Sendable {
    let order: PrintOrder
    let format: PrintFormat
    let price: PrintPrice
}

extension SubmissionTask {
    /// The order of a task, whose price somebody has confirmed.
    ///
    /// - Throws: `.rejected` when there is none, for a video, and when the product or its text is not one of `formats`.
    func confirmedPrint(
        _ formats: [PrintFormat], of service: String
    ) throws(SubmissionError) -> ConfirmedPrint {
        guard let order, let price = order.price else {
            throw .rejected(.orderMissing, ProblemParameters(service: service))
        }
        guard !photo.isVideo else { throw .rejected(.unsupportedType, ProblemParameters(service: service)) }
        guard let format = formats.first(where: { $0.id == order.format }) else {
            throw .productMissing(at: service)
        }
        guard format.takes(message: order.message) else {
            throw .rejected(.textRefused, ProblemParameters(service: service))
        }
        return ConfirmedPrint(order: order, format: format, price: price)
    }

    /// The file that leaves, which must fill the card.
    func file(filling format: PrintFormat) async throws(SubmissionError) -> OutgoingFile {
        let file = try await file()
        if let width = file.width, let height = file.height, !format.fits(width: width, height: height) {
            throw .rejected(.mediaUnusable)
        }
        return file
    }
}

extension SubmissionTask {
    /// Makes an order, after a `look` for what an earlier request may have ordered.
    ///
    /// As long as an earlier request has no clear end, nobody says that nothing was ordered: what is refused then is an unknown outcome.
    /// `make` is told whether such a request is open.
    func ordering(
        _ client: ServiceClient, _ look: () async throws(SubmissionError) -> Reconciliation,
        _ make: (_ isOpen: Bool) async throws(SubmissionError) -> Receipt
    ) async throws(SubmissionError) -> Receipt {
        guard await OpenOutcome.recorded(in: journal) != nil else { return try await make(false) }
        do throws(SubmissionError) {
            if let receipt = try await earlierReceipt(client, look) { return receipt }
            return try await make(OpenOutcome.recorded(in: journal) != nil)
        } catch {
            guard await OpenOutcome.recorded(in: journal) != nil else { throw error }
            switch error {
            case .temporary(let problem, let pause): throw .unknownOutcome(problem, retryAfter: pause)
            case .rejected(let problem), .gone(let problem): throw .unknownOutcome(problem, retryAfter: nil)
            case .notYet(let pause):
                throw .unknownOutcome(SubmissionProblem(client.problem(.stillProcessing)), retryAfter: pause)
            default: throw error
            }
        }
    }
}

extension SubmissionError {
    /// The error of a card that the service does not send to a country.
    static func countryNotServed(by service: String) -> SubmissionError {
        let field = PostalAddress.Field.country
        return .rejected(
            .countryNotServed, ProblemParameters(service: service, field: field.rawValue, label: field.label))
    }

    /// The error of a product that the service, or the account, does not have.
    static func productMissing(at service: String, field: String? = nil) -> SubmissionError {
        .rejected(.destinationMissing, ProblemParameters(service: service, field: field, label: "The product"))
    }
}

extension PrintQuote {
    /// Refuses a price that nobody has confirmed.
    func check(_ confirmed: PrintPrice, at service: String) throws(SubmissionError) {
        guard total.isCovered(by: confirmed) else {
            throw .rejected(.priceChanged, ProblemParameters(service: service))
        }
    }
}

extension IncomingResponse {
    /// The response with nothing in its body but words of the service that are codes: answers about orders repeat the address, which stands nowhere in clear.
    func keeping(_ codes: [String]) -> IncomingResponse {
        let safe = codes.filter { $0.utf8.count <= 100 && $0.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.\[\]-]*/) != nil }
        return IncomingResponse(status: status, fields: fields, body: Array(safe.joined(separator: " ").utf8))
    }

    /// The text of a page's address in an answer, where it is one.
    static func webAddress(_ json: JSONValue?) -> String? {
        json?.string.flatMap { $0.isWebAddress ? $0 : nil }
    }
}

extension PrintPrice {
    /// An `{"amount": "7.50", "currency": "GBP"}`.
    init?(cost: JSONValue?) {
        guard let currency = cost?["currency"]?.string else { return nil }
        let amount = cost?["amount"]
        guard let text = amount?.string ?? amount?.double.map({ String($0) }) else { return nil }
        self.init(text, currency: currency)
    }
}

extension String {
    /// The beginning of a hash of a secret, which tells accounts apart at services that tell no name.
    var fingerprint: String { String(SHA256Digest(of: self).hex.prefix(16)) }
}
