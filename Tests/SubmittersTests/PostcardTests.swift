internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

/// Cards on paper: each costs money, and has a person's address on it.
struct PostcardTests {
    static let subjects = [Subject.prodigi, Subject.lob]

    // MARK: Nothing without an order

    @Test(arguments: subjects)
    func `a photo without an order is refused, and nothing is asked`(subject: Subject) async throws {
        var unordered = subject
        unordered.order = nil
        try await Self.refuses(unordered, .orderMissing)
    }

    @Test(arguments: subjects)
    func `an order whose price nobody has confirmed is refused, and nothing is asked`(subject: Subject) async throws {
        try await Self.refuses(
            subject.ordering { PrintOrder(format: $0.format, recipient: $0.recipient) }, .orderMissing)
    }

    @Test(arguments: subjects)
    func `a product that the account has not is refused`(subject: Subject) async throws {
        try await Self.refuses(
            subject.ordering { PrintOrder(format: "9x9", recipient: $0.recipient, price: $0.price) },
            .destinationMissing)
    }

    @Test(arguments: subjects)
    func `a picture of another shape is refused before anything is ordered`(subject: Subject) async throws {
        var square = subject
        square.pictureSize = PictureSize(width: 1875, height: 1875)
        try await Self.refuses(square, .mediaUnusable)
    }

    @Test(arguments: subjects)
    func `a video is refused`(subject: Subject) async throws {
        var video = subject
        video.isVideo = true
        try await Self.refuses(video, .unsupportedType)
    }

    @Test func `Lob gets no picture of fewer pixels than it prints`() async throws {
        var small = Subject.lob
        small.pictureSize = PictureSize(width: 1250, height: 850)
        try await Self.refuses(small, .mediaUnusable)
    }

    @Test(arguments: [
        String(repeating: "x", count: 301), "bell \u{7}", "reversed \u{202E}", String(repeating: "\n", count: 10),
    ])
    func `a text that does not fit on the back is refused`(message: String) async throws {
        try await Self.refuses(
            Subject.lob.ordering {
                PrintOrder(format: $0.format, recipient: $0.recipient, message: message, price: $0.price)
            }, .textRefused)
    }

    @Test func `Prodigi gets no text, which it cannot print`() async throws {
        try await Self.refuses(
            Subject.prodigi.ordering {
                PrintOrder(format: $0.format, recipient: $0.recipient, message: "Hello", price: $0.price)
            }, .textRefused)
    }

    private static func refuses(_ subject: Subject, _ code: ProblemCode) async throws {
        try await withScene(subject) { scene in
            let before = scene.host?.requests.count

            let problem = await refusal { try await scene.submit() }

            #expect(problem?.problem.code == code)
            #expect(scene.host?.requests.count == before)
            #expect(!scene.journal.isArmed)
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    // MARK: The price

    @Test func `Prodigi tells the price of the chosen way of sending, print and post`() async throws {
        try await withScene(.prodigi) { scene in
            let quote = try await scene.quote()

            #expect(quote.total == PrintPrice(minorUnits: 270, currency: "GBP"))
            #expect(quote.print == PrintPrice(minorUnits: 120, currency: "GBP"))
            #expect(quote.post == PrintPrice(minorUnits: 150, currency: "GBP"))
            #expect(!quote.isEstimate && quote.shippingMethod == "Budget")
        }
    }

    @Test func `a price to which taxes may come is an estimate`() async throws {
        try await withScene(Subject.prodigi("prodigi") { $0.warnsOfTax = true }) { scene in
            let quote = try await scene.quote()
            #expect(quote.isEstimate)
        }
    }

    @Test func `Lob's price is what the owner has entered, and an estimate`() async throws {
        try await withScene(.lob) { scene in
            let inside = try await scene.quote()
            let abroad = try await scene.quote(to: .sample)

            #expect(inside.total == PrintPrice(minorUnits: 87, currency: "USD") && inside.isEstimate)
            #expect(abroad.total == PrintPrice(minorUnits: 160, currency: "USD"))
            #expect(scene.printing?.formats(scene.opened.settings).map(\.id) == ["4x6", "6x9"])
        }
    }

    @Test(arguments: [("1.31", "GBP"), ("1.20", "EUR")])
    func `nothing is ordered at a price above the confirmed one, or in another currency`(
        price: String, currency: String
    ) async throws {
        try await withScene(.prodigi) { scene in
            let prodigi = try #require(scene.host?.service as? FakeProdigi)
            prodigi.change { ($0.itemPrice, $0.currency) = (price, currency) }

            let problem = await refusal { try await scene.submit() }

            #expect(problem?.problem.code == .priceChanged)
            #expect(!scene.journal.isArmed && prodigi.orderCount == 0)
        }
    }

    @Test func `a price that has fallen is no reason to ask again`() async throws {
        try await withScene(.prodigi) { scene in
            (scene.host?.service as? FakeProdigi)?.change { $0.itemPrice = "0.90" }

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `a price that rises after an answer was lost is told as an order where there is one`() async throws {
        try await withScene(.prodigi) { scene in
            scene.host?.fail("POST /v4.0/orders", .resetAfter)
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            (scene.host?.service as? FakeProdigi)?.change { $0.itemPrice = "9.00" }

            guard case .done = await PlayedQueue(scene: scene).work() else {
                Issue.record("not found")
                return
            }
            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `a price that rises after a request that may have ordered is left to a person`() async throws {
        try await withScene(.prodigi) { scene in
            scene.host?.fail("POST /v4.0/orders", .resetBefore)
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            (scene.host?.service as? FakeProdigi)?.change { $0.itemPrice = "9.00" }

            #expect(await PlayedQueue(scene: scene).work() == .unknown)
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test(arguments: subjects)
    func `a refusal after a request that may have ordered does not say that nothing was ordered`(
        subject: Subject
    ) async throws {
        try await withScene(subject) { scene in
            scene.host?.fail(subject.publishingStep, .resetBefore, .status(400))
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)

            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            #expect(await PlayedQueue(scene: scene).work() != .rejected)
            #expect(scene.isPublishedOnce)
        }
    }

    // MARK: Once

    @Test(arguments: [1.0, 30.0])
    func `a card at Lob whose answer was lost is found also when the key is forgotten`(hours: Double) async throws {
        try await withScene(.lob) { scene in
            scene.host?.fail("POST /v1/postcards", .resetAfter)
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            scene.clock.advance(by: hours * 3600)
            // The queue may have taken the outcome back: the look comes first all the same.
            scene.journal.disarm()

            guard case .done = await PlayedQueue(scene: scene).work() else {
                Issue.record("not found")
                return
            }
            #expect((scene.host?.service as? FakeLob)?.cardCount == 1)
        }
    }

    @Test func `a card at Lob that never came about is ordered after the key's life too, once`() async throws {
        try await withScene(.lob) { scene in
            scene.host?.fail("POST /v1/postcards", .resetBefore)
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            scene.clock.advance(by: 30 * 3600)

            guard case .done = await PlayedQueue(scene: scene).work() else {
                Issue.record("not ordered")
                return
            }
            #expect((scene.host?.service as? FakeLob)?.cardCount == 1)
        }
    }

    @Test func `an order at Prodigi that nobody lists yet is given back for its key`() async throws {
        try await withScene(Subject.prodigi("prodigi") { $0.holdWindow = 7200 }) { scene in
            let prodigi = try #require(scene.host?.service as? FakeProdigi)
            scene.host?.fail("POST /v4.0/orders", .resetAfter, .malformed)

            guard case .done(let receipt) = await PlayedQueue(scene: scene).work() else {
                Issue.record("not found")
                return
            }
            #expect(prodigi.orderCount == 1 && scene.publishedIDs == [receipt.remoteID])
        }
    }

    @Test func `a submission at Prodigi lasts until the picture was fetched`() async throws {
        try await withScene(Subject.prodigi("prodigi") { $0.fetchDelay = 90 }) { scene in
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            #expect(await meaning { try await scene.reconcile() } == .notYet)
            #expect((scene.host?.service as? FakeProdigi)?.effects.first?.media == [])

            scene.clock.advance(by: 91)

            let found = try await scene.reconcile()
            #expect(found.isFound && scene.isPublishedOnce)
        }
    }

    // MARK: Cancelling and what becomes of a card

    @Test(arguments: subjects)
    func `an order is cancelled within its window, and later it is too late`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            let receipt = try await scene.submit()
            let first = try await scene.state(receipt)
            #expect(first.isCancellable)
            scene.clock.advance(by: 4000)

            let state = try await scene.state(receipt)
            let problem = await refusal { try await scene.delete(receipt) }

            #expect(problem?.problem.code == .tooLateToCancel)
            #expect(state.stage == .inProduction && !state.isCancellable)
            #expect(scene.publishedIDs == [receipt.remoteID])
        }
    }

    @Test(arguments: subjects, [Fault.resetAfter, .resetBefore, .malformed, .status(503)])
    func `a cancellation whose answer was lost is repeated, and ends as one`(
        subject: Subject, fault: Fault
    ) async throws {
        let route = subject.service == "lob" ? "DELETE /v1/postcards/{id}" : "POST /v4.0/orders/{id}/actions/cancel"
        try await withScene(subject) { scene in
            let receipt = try await scene.submit()
            scene.host?.fail(route, fault)
            _ = await meaning { try await scene.delete(receipt) }

            try await scene.delete(receipt)

            let state = try await scene.state(receipt)
            #expect(state.stage == .cancelled && !state.isCancellable)
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test func `an order in Prodigi's edit window is ordered, and is cancelled on its own pages alone`() async throws {
        try await withScene(Subject.prodigi("prodigi") { $0.holdWindow = 7200 }) { scene in
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            let receipt = Receipt(remoteID: scene.publishedIDs.first ?? "", url: nil)

            let state = try await scene.state(receipt)
            #expect(state == PrintState(.ordered))
            #expect(await refusal { try await scene.delete(receipt) }?.problem.code == .tooLateToCancel)
        }
    }

    @Test func `Prodigi tells production, the carrier's page, and that a payment is awaited`() async throws {
        try await withScene(Subject.prodigi("prodigi") { $0.issues = ["RequiresPaymentAuthorisation"] }) { scene in
            let receipt = try await scene.submit()
            let first = try await scene.state(receipt)
            (scene.host?.service as? FakeProdigi)?.ship()
            let last = try await scene.state(receipt)

            #expect(first.stage == .ordered && first.problem?.code == .paymentRequired)
            #expect(first.actionURL == "https://dashboard.prodigi.test/payment/97323")
            #expect(last.stage == .mailed && last.trackingURL == "https://tracking.test/RM1")
        }
    }

    @Test(arguments: [
        ("order.items.assets.FailedToDownloaded", ProblemCode.fileNotFetched),
        ("order.items.ItemUnavailable", .destinationMissing),
    ])
    func `an order at Prodigi that cannot be made says why, in words of Pics`(
        issue: String, code: ProblemCode
    ) async throws {
        try await withScene(Subject.prodigi("prodigi") { $0.issues = [issue] }) { scene in
            let receipt = try await scene.submit()

            guard case .failed(let problem) = try await scene.state(receipt).stage else {
                Issue.record("not failed")
                return
            }
            #expect(problem.code == code)
        }
    }

    @Test(arguments: [
        ("In Transit", PrintState.Stage.mailed), ("International Exit", .mailed), ("Delivered", .delivered),
        ("Returned to Sender", .returned),
    ])
    func `Lob tells the way of a card, its proof and the day`(event: String, stage: PrintState.Stage) async throws {
        try await withScene(.lob) { scene in
            let receipt = try await scene.submit()
            let first = try await scene.state(receipt)
            (scene.host?.service as? FakeLob)?.move(status: "rendered", event: event)

            let state = try await scene.state(receipt)

            #expect(first.stage == .ordered && first.cancellableUntil == scene.clock.now + 300)
            #expect(state.stage == stage && state.expectedDelivery == "2026-12-02")
            #expect(state.previewURL?.hasPrefix("https://lob-assets.test/") == true)
        }
    }

    @Test func `a card that Lob cannot render has failed`() async throws {
        try await withScene(.lob) { scene in
            let receipt = try await scene.submit()
            (scene.host?.service as? FakeLob)?.move(status: "failed")

            let state = try await scene.state(receipt)
            #expect(state.stage == .failed(Problem(.fileRefused, ProblemParameters(service: "Lob"))))
        }
    }
}

extension Subject {
    /// The same with another order.
    func ordering(_ change: (PrintOrder) -> PrintOrder) -> Subject {
        var subject = self
        subject.order = subject.order.map(change)
        return subject
    }
}

extension Scene {
    var printing: (any PrintingSubmitter)? { submitter as? any PrintingSubmitter }

    /// The price of the subject's order, or of one to somebody else.
    func quote(to recipient: PostalAddress? = nil) async throws -> PrintQuote {
        let printing = try #require(printing)
        let order = try #require(subject.order)
        return try await printing.quote(
            PrintOrder(format: order.format, recipient: recipient ?? order.recipient), of: opened, over: transport)
    }

    func state(_ receipt: Receipt) async throws -> PrintState {
        try await #require(printing).state(of: post(receipt))
    }

    func check(_ recipient: PostalAddress) async throws -> PostalAddress {
        try await #require(printing).check(recipient, of: opened, over: transport)
    }
}
