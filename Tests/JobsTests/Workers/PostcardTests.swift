internal import Accounts
internal import Blobs
internal import Crypto
internal import Domain
internal import Foundation
internal import HTTP
internal import Media
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@testable import Jobs

/// Cards on paper, from their confirmation to their letter box.
@Suite(.timeLimit(.minutes(5)))
struct PostcardTests {
    @Test func `an order is made once, and followed until the card is there`() async throws {
        let service = PrintingService()
        try await withBench(service) { bench in
            let id = try await bench.confirm()
            #expect(try await bench.sendPostcards() == 1)
            #expect(try await bench.sendPostcards() == 0)
            #expect(try await bench.postcard(id).state == .ordered)
            #expect(try await bench.postcard(id).remoteID == "order pics-\(id)")
            #expect(try await bench.minutesUntilDue() == 5)

            service.become(
                PrintState(.ordered, isCancellable: true, expectedDelivery: "2026-12-01"), PrintState(.inProduction),
                PrintState(.mailed, trackingURL: "https://post.test/7", expectedDelivery: "2026-13-01"),
                PrintState(.delivered))
            for (state, minutes) in [
                (Postcard.State.ordered, 55), (.inProduction, 360), (.mailed, 360), (.delivered, nil),
            ] {
                bench.clock.advance(by: state == .ordered ? 300 : 3600)
                try await bench.makePostcardsDue()
                #expect(try await bench.sendPostcards() == 1)
                #expect(try await bench.postcard(id).state == state)
                #expect(try await bench.minutesUntilDue() == minutes, "\(state)")
            }
            let done = try await bench.postcard(id)
            #expect(done.facts.trackingURL == "https://post.test/7" && done.facts.expectedOn == "2026-12-01")
            #expect(!done.canBeCancelled)
            try await bench.makePostcardsDue()
            #expect(try await bench.sendPostcards() == 0)
            #expect(service.calls == ["submit", "state", "state", "state", "state"])
        }
    }

    @Test func `an order is followed for sixty days`() async throws {
        let service = PrintingService()
        service.become(PrintState(.mailed))
        try await withBench(service) { bench in
            let id = try await bench.confirm()
            try await bench.sendPostcards()
            bench.clock.advance(by: 61 * 86_400)
            try await bench.makePostcardsDue()
            try await bench.sendPostcards()
            #expect(try await bench.postcard(id).state == .mailed)
            #expect(try await bench.minutesUntilDue() == nil)
        }
    }

    @Test func `an order whose answer is lost is looked for, and is one order`() async throws {
        let service = PrintingService()
        service.play { [service] task throws(SubmissionError) in
            try await task.journal.arm()
            _ = service.make(task)
            throw .unknownOutcome(SubmissionProblem(.other("The connection broke.")), retryAfter: nil)
        }
        try await withBench(service) { bench in
            let id = try await bench.confirm()
            try await bench.sendPostcards()
            #expect(try await bench.postcard(id).state == .waiting)
            try await bench.makePostcardsDue()
            try await bench.sendPostcards()

            #expect(try await bench.postcard(id).state == .ordered)
            #expect(service.calls == ["submit", "reconcile"])
            #expect(service.orders == ["pics-\(id)"])
        }
    }

    @Test(arguments: [false, true])
    func `a death between two writes of the journal orders nothing twice`(isArmed: Bool) async throws {
        let service = PrintingService()
        service.play { [service] task throws(SubmissionError) in
            try await task.journal.record("asked", true)
            if isArmed {
                try await task.journal.arm(recording: ["sent": true])
                _ = service.make(task)
            }
            // Nothing more is written: as little as a process that was killed would write.
            throw .leaseLost
        }
        service.play { [service] task throws(SubmissionError) in
            guard await task.journal.value("asked") == true else { throw .rejected(.internalError) }
            try await task.journal.arm()
            return service.make(task)
        }
        try await withBench(service) { bench in
            let id = try await bench.confirm()
            try await bench.sendPostcards()
            #expect(try await bench.sendPostcards() == 0, "somebody may still work on it")
            try await bench.sql("UPDATE print_orders SET lease_until = '-infinity'")
            try await bench.sendPostcards()

            #expect(try await bench.postcard(id).state == .ordered)
            #expect(service.calls == ["submit", isArmed ? "reconcile" : "submit"])
            #expect(service.orders == ["pics-\(id)"])
        }
    }

    @Test func `an order that nobody can tell of is unknown, and never made again`() async throws {
        let service = PrintingService()
        service.play { task throws(SubmissionError) in
            try await task.journal.arm()
            throw .unknownOutcome(SubmissionProblem(.other("The connection broke.")), retryAfter: nil)
        }
        service.tell(.cannotTell)
        try await withBench(service) { bench in
            let id = try await bench.confirm()
            for _ in 0..<4 {
                try await bench.sendPostcards()
                try await bench.makePostcardsDue()
            }
            #expect(try await bench.postcard(id).state == .unknown)
            #expect(try await bench.postcard(id).problem?.code == .outcomeUnknown)
            #expect(service.calls == ["submit", "reconcile"] && service.orders.isEmpty)
        }
    }

    @Test func `what a service refuses is not ordered, and what fails for a while is tried again`() async throws {
        let service = PrintingService()
        service.play { _ throws(SubmissionError) in throw .temporary(Problem(.unreachable)) }
        service.play { _ throws(SubmissionError) in throw .rejected(.priceChanged) }
        try await withBench(service) { bench in
            let id = try await bench.confirm()
            try await bench.sendPostcards()
            #expect(try await bench.postcard(id).problem?.code == .unreachable)
            try await bench.makePostcardsDue()
            try await bench.sendPostcards()
            let refused = try await bench.postcard(id)
            #expect(refused.state == .rejected && refused.problem?.code == .priceChanged)
            #expect(service.orders.isEmpty)
        }
    }

    @Test func `an order that its service has but cannot make yet is asked about for as long as it takes`() async throws
    {
        let service = PrintingService()
        service.play { [service] task throws(SubmissionError) in
            try await task.journal.arm()
            _ = service.make(task)
            throw .unknownOutcome(SubmissionProblem(Problem(.stillProcessing)), retryAfter: .seconds(60))
        }
        try await withBench(service) { bench in
            let id = try await bench.confirm()
            try await bench.sendPostcards()
            #expect(try await bench.postcard(id).problem?.code == .stillProcessing)
            #expect(try await bench.value("SELECT failures FROM print_orders") == "0")
            try await bench.makePostcardsDue()
            try await bench.sendPostcards()
            #expect(try await bench.postcard(id).state == .ordered)
        }
    }

    // MARK: Cancelling

    @Test func `an order that is cancelled before it is sent never leaves`() async throws {
        let service = PrintingService()
        try await withBench(service) { bench in
            let waiting = try await bench.confirm()
            _ = try await bench.store.cancel(waiting, owner: bench.owner.id)
            try await bench.sendPostcards()
            #expect(service.calls.isEmpty)

            let running = try await bench.confirm()
            service.play { [service, store = bench.store, owner = bench.owner.id] task throws(SubmissionError) in
                do throws(StoreError) { _ = try await store.cancel(running, owner: owner) } catch {
                    throw .temporary(Problem(.databaseUnavailable))
                }
                try await task.journal.arm()
                return service.make(task)
            }
            try await bench.sendPostcards()
            #expect(try await bench.postcard(running).state == .cancelled)
            #expect(service.orders.isEmpty)
        }
    }

    @Test func `an order that is cancelled after it is sent is cancelled at its service, and told when it is too late`()
        async throws
    {
        let service = PrintingService()
        try await withBench(service) { bench in
            let first = try await bench.confirm()
            try await bench.sendPostcards()
            #expect(try await bench.store.cancel(first, owner: bench.owner.id)?.postcard.isCancelWanted == true)
            try await bench.sendPostcards()
            #expect(try await bench.postcard(first).state == .cancelled)
            #expect(service.calls == ["submit", "cancel order"])

            let second = try await bench.confirm()
            try await bench.sendPostcards()
            service.refuseToCancel()
            service.become(PrintState(.inProduction))
            _ = try await bench.store.cancel(second, owner: bench.owner.id)
            for _ in 0..<2 {
                try await bench.sendPostcards()
                let stays = try await bench.postcard(second)
                #expect(stays.state == .inProduction && !stays.isCancelWanted)
                #expect(stays.problem?.code == .tooLateToCancel)
                try await bench.makePostcardsDue()
            }
        }
    }

    @Test func `an order that may have left is not said to be cancelled`() async throws {
        let service = PrintingService()
        service.play { task throws(SubmissionError) in
            try await task.journal.arm()
            throw .unknownOutcome(SubmissionProblem(.other("The connection broke.")), retryAfter: nil)
        }
        try await withBench(service) { bench in
            let id = try await bench.confirm()
            try await bench.sendPostcards()
            _ = try await bench.store.cancel(id, owner: bench.owner.id)
            try await bench.sendPostcards()
            #expect(try await bench.postcard(id).state == .waiting, "a later look may tell")
            bench.clock.advance(by: 3600)
            try await bench.makePostcardsDue()
            try await bench.sendPostcards()
            #expect(try await bench.postcard(id).state == .unknown)
            #expect(service.orders.isEmpty)
        }
    }

    // MARK: What leaves

    @Test func `the picture leaves cut to the card, at an address that works until the card is printed`() async throws {
        let service = PrintingService()
        let told = Box<[String]>([])
        let size = Box<[Int?]>([])
        service.play { [service] task throws(SubmissionError) in
            let file = try await task.file()
            size.update { $0 = [file.width, file.height] }
            let address = try await task.address()
            told.update { $0 = [address, file.mediaType, task.text + task.caption + task.altText] }
            try await task.journal.arm()
            return service.make(task)
        }
        try await withDarkroom { room in
            let picture = try room.bytes(of: try await room.picture("a.jpg", size: "160x120", []))
            try await withBench(service, media: room.media) { bench in
                let id = try await bench.confirm(picture, visibility: .private)
                try await bench.sendPostcards()
                #expect(try await bench.postcard(id).state == .ordered)
                #expect(size.value == [300, 200])
                #expect(told.value.dropFirst() == ["image/jpeg", ""])
                let name = told.value.first?.split(separator: "/").last ?? ""
                let token = SHA256Digest(of: String(name.prefix { $0 != "." })).bytes
                #expect(try await bench.store.fetchableFile(token).mediaType == "image/jpeg")
                service.become(PrintState(.mailed))
                try await bench.makePostcardsDue()
                try await bench.sendPostcards()
                await #expect(throws: StoreError.notFound) { try await bench.store.fetchableFile(token) }
            }
        }
    }

    @Test func `the recipient stands in no table and no log in clear`() async throws {
        let service = PrintingService()
        service.play { _ throws(SubmissionError) in throw .temporary(Problem(.unreachable)) }
        try await withBench(service) { bench in
            _ = try await bench.confirm()
            try await bench.sendPostcards()
            try await bench.makePostcardsDue()
            try await bench.sendPostcards()
            for word in ["Quast", "Birkenweg", "61440", "Greetings"] {
                #expect(
                    try await bench.value("SELECT count(*) FROM print_orders o WHERE o::text LIKE '%\(word)%'") == "0")
                #expect(!bench.log.lines.joined().contains(word))
            }
            #expect(service.orders.count == 1)
        }
    }
}

extension Bench {
    /// An order that alice has confirmed, of a picture of her own.
    fileprivate func confirm(
        _ picture: [UInt8] = Array("picture".utf8), visibility: Visibility = .public
    ) async throws -> PostcardID {
        let connection = try await connect()
        let blob = try await context.blobs.put(picture)
        let photo = NewPhoto(
            id: .make(), owner: owner.id, code: .make(), blob: try #require(BlobID(blob.digest.bytes)),
            bytes: blob.bytes, mediaType: "image/jpeg", kind: .photo, width: 160, height: 120, takenAt: nil,
            position: nil, exif: "{}", caption: "Sunset", altText: "A sunset", visibility: visibility)
        try await store.create(photo, submissions: [])
        let order = PrintOrder(
            format: PrintingService.format.id,
            recipient: PostalAddress(
                name: "Zerlina Quast", line1: "Birkenweg 7", city: "Oberursel", postalCode: "61440", country: "DE"),
            message: "Greetings", price: PrintPrice(minorUnits: 270, currency: "GBP"))
        let id = PostcardID.make()
        _ = try await store.order(
            NewPostcard(
                id: id, owner: owner.id, photo: photo.id, connection: connection, requestKey: nil,
                fingerprint: [UInt8](repeating: 0, count: 32),
                sealed: try context.keys.seal(order.json.serialized, context: Postcard.context(of: id.description)),
                format: order.format, priceMinor: 270, priceCurrency: "GBP", isSandbox: true))
        return id
    }

    fileprivate func postcard(_ id: PostcardID) async throws -> Postcard {
        try await store.postcard(id, owner: owner.id).postcard
    }

    @discardableResult
    fileprivate func sendPostcards() async throws -> Int {
        try await PostcardSender(
            context: context,
            accounts: AccountReader(
                store: store, registry: context.registry, keys: context.keys, transport: context.transport,
                now: context.now), loop: SharedParts.nextLoop()
        ).sendDue()
    }

    fileprivate func makePostcardsDue() async throws {
        try await sql("UPDATE print_orders SET due_at = now() WHERE due_at IS NOT NULL")
    }

    /// Until the only order is looked at again; nil: never.
    fileprivate func minutesUntilDue() async throws -> Int? {
        Int(
            try await value(
                "SELECT coalesce(round(extract(epoch FROM due_at - now()) / 60)::text, '') FROM print_orders"))
    }
}
