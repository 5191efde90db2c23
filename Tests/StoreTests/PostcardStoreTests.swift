import Domain
import Foundation
import Postgres
import Store
import TestTools
import Testing

/// Orders of cards on paper.
@Suite(.timeLimit(.minutes(5)))
struct PostcardStoreTests {
    @Test func `an order is there once for a key, and a key is its user's own`() async throws {
        try await withStore { bench in
            let made = try await bench.order(key: "a")
            let again = try await bench.order(key: "a", on: made.postcard)
            let other = try await bench.order(key: "b", on: made.postcard)
            let keyless = try await bench.order(key: nil, on: made.postcard)

            #expect(again.postcard.id == made.postcard.id)
            #expect(Set([made, other, keyless].map(\.postcard.id)).count == 3)
            // Those of one millisecond have no order.
            let listed = try await bench.store.postcards(of: made.postcard.photo, owner: bench.owner.id)
            #expect(Set(listed.map(\.postcard.id)) == Set([keyless, other, made].map(\.postcard.id)))
            let bob = try await bench.store.addUser("bob")
            #expect(try await bench.store.postcards(of: made.postcard.photo, owner: bob.id) == [])
            await #expect(throws: StoreError.notFound) {
                try await bench.store.postcard(made.postcard.id, owner: bob.id)
            }
            #expect(try await bench.store.cancel(made.postcard.id, owner: bob.id) == nil)
        }
    }

    @Test func `orders are claimed one of each account, while its lane and its gate are open`() async throws {
        try await withStore { bench in
            let first = try await bench.order().postcard
            _ = try await bench.order(on: first)
            #expect(try await bench.store.claimPostcards(limit: 9).map(\.id) == [first.id])
            #expect(try await bench.store.claimPostcards(limit: 9).count == 1)
            #expect(try await bench.store.claimPostcards(limit: 9).isEmpty)

            for (close, open) in [
                ("UPDATE connections SET state = 'needs_login'", "UPDATE connections SET state = 'ok'"),
                ("UPDATE lanes SET paused = true", "UPDATE lanes SET paused = false"),
                (
                    "UPDATE lanes SET blocked_until = now() + interval '1 h'",
                    "UPDATE lanes SET blocked_until = '-infinity'"
                ),
                (
                    "UPDATE gates SET blocked_until = now() + interval '1 h'",
                    "UPDATE gates SET blocked_until = '-infinity'"
                ),
            ] {
                try await bench.endPostcardLeases()
                try await bench.database.change(close)
                #expect(try await bench.store.claimPostcards(limit: 9).isEmpty, "\(close)")
                try await bench.database.change(open)
                #expect(try await bench.store.claimPostcards(limit: 9).count == 1, "\(close)")
            }
        }
    }

    @Test func `who has lost its lease writes nothing any more`() async throws {
        try await withStore { bench in
            let made = try await bench.order().postcard
            let old = try #require(try await bench.store.claimPostcards(limit: 1).first)
            try await bench.endPostcardLeases()
            let new = try #require(try await bench.store.claimPostcards(limit: 1).first)
            #expect(new.failures == old.failures + 1)

            #expect(try await bench.store.checkpoint(old, journal: #"{"a":1}"#, arm: true) == nil)
            #expect(try await bench.store.settle(old, PostcardOutcome(.cancelled)) == false)
            try await bench.store.postpone(old, by: .seconds(3600), isArmed: true)
            #expect(try await bench.store.checkpoint(new, journal: #"{"a":1,"b":2}"#, arm: false) == false)
            #expect(try await bench.store.checkpoint(new, journal: #"{"a":null}"#, arm: true) == false)
            var ordered = PostcardOutcome(.ordered)
            (ordered.remoteID, ordered.pause) = ("7", .seconds(300))
            #expect(try await bench.store.settle(new, ordered))

            let stored = try await bench.store.postcard(made.id, owner: bench.owner.id).postcard
            #expect(stored.state == .ordered && stored.remoteID == "7")
            #expect(try await bench.database.texts("SELECT journal::text FROM print_orders") == [#"{"b": 2}"#])
        }
    }

    @Test func `an order that nobody works on is cancelled at once, and one that is being sent is not armed`()
        async throws
    {
        try await withStore { bench in
            let waiting = try await bench.order().postcard
            let cancelled = try await bench.store.cancel(waiting.id, owner: bench.owner.id)?.postcard
            #expect(cancelled?.state == .cancelled && cancelled?.isCancelWanted == false)
            #expect(try await bench.store.cancel(waiting.id, owner: bench.owner.id) == nil)

            let running = try await bench.order(on: waiting).postcard
            let due = try #require(try await bench.store.claimPostcards(limit: 1).first)
            let asked = try await bench.store.cancel(running.id, owner: bench.owner.id)?.postcard
            #expect(asked?.state == .waiting && asked?.isCancelWanted == true)
            #expect(try await bench.store.checkpoint(due, journal: "{}", arm: true) == true)
            #expect(
                try await bench.database.number("SELECT count(*) FROM print_orders WHERE armed_at IS NOT NULL") == 0)
        }
    }

    @Test func `a deleted photo, a disconnected account and a user who leaves end what was not sent`() async throws {
        try await withStore { bench in
            let first = try await bench.order().postcard
            let sent = try await bench.ordered()
            try await bench.store.deletePhoto(sent.photo, owner: bench.owner.id)
            try await bench.store.deletePhoto(first.photo, owner: bench.owner.id)
            #expect(try await bench.postcard(first).state == .cancelled)
            #expect(try await bench.store.postcard(first.id, owner: bench.owner.id).sealed == nil)
            #expect(try await bench.postcard(sent).state == .ordered)

            let second = try await bench.order().postcard
            let open = try await bench.order(on: second).postcard
            try await bench.database.change(
                "UPDATE print_orders SET armed_at = now() WHERE id = '\(open.id)'")
            _ = try await bench.store.disconnect(second.connection, owner: bench.owner.id)
            #expect(try await bench.postcard(second).problem?.code == .accountDisconnected)
            #expect(try await bench.postcard(second).state == .cancelled)
            #expect(try await bench.postcard(open).state == .unknown)

            _ = try await bench.order()
            try await bench.database.change("SELECT leave('\(bench.owner.id)')")
            #expect(
                try await bench.database.number(
                    "SELECT count(*) FROM print_orders WHERE sealed IS NOT NULL OR due_at IS NOT NULL") == 0)
            try await bench.database.change("SELECT forget_user('\(bench.owner.id)')")
            #expect(try await bench.database.number("SELECT count(*) FROM print_orders") == 0)
        }
    }

    @Test func `whom a card was for is forgotten thirty days after its end, and not before`() async throws {
        try await withStore { bench in
            let ended = try await bench.order().postcard
            _ = try await bench.store.cancel(ended.id, owner: bench.owner.id)
            let followed = try await bench.ordered()
            try await bench.database.change("UPDATE print_orders SET updated_at = now() - interval '29 days'")
            #expect(try await bench.store.forgetRecipients() == 0)
            try await bench.database.change("UPDATE print_orders SET updated_at = now() - interval '31 days'")
            #expect(try await bench.store.forgetRecipients() == 1)
            #expect(try await bench.store.postcard(ended.id, owner: bench.owner.id).sealed == nil)
            #expect(try await bench.store.postcard(followed.id, owner: bench.owner.id).sealed != nil)
        }
    }

    @Test func `an order is followed for sixty days, also where nobody could be asked`() async throws {
        try await withStore { bench in
            let id = try await bench.ordered().id
            try await bench.database.change("UPDATE connections SET state = 'needs_login'")
            for (days, ended) in [(59, 0), (61, 1)] {
                try await bench.database.change(
                    "UPDATE print_orders SET due_at = now(), ordered_at = now() - interval '\(days) days'")
                #expect(try await bench.store.endFollowingPostcards() == ended, "\(days)")
            }
            try await bench.database.change("UPDATE print_orders SET updated_at = now() - interval '31 days'")
            try await bench.store.forgetRecipients()
            #expect(try await bench.store.postcard(id, owner: bench.owner.id).sealed == nil)
        }
    }

    @Test func `the file of an order is fetched until the card is made, and kept as long`() async throws {
        try await withStore { bench in
            let made = try await bench.ordered()
            let blob = BlobID.random()
            let token = BlobID.random().bytes
            try await bench.store.addOutgoingFile(
                blob, bytes: 7, mediaType: "image/jpeg", token: token, of: made.photo, for: .order(made.id),
                life: .seconds(72 * 3600))
            try await bench.database.change("UPDATE blobs SET created_at = now() - interval '2 days'")
            #expect(try await bench.forgetBlobs(inShardOf: blob).isEmpty)
            #expect(try await bench.store.fetchableFile(token).bytes == 7)
            try await bench.database.change("UPDATE photos SET visibility = 'private', made_private_at = now()")
            #expect(try await bench.store.fetchableFile(token).blob == blob)

            try await bench.database.change("UPDATE print_orders SET state = 'mailed'")
            await #expect(throws: StoreError.notFound) { try await bench.store.fetchableFile(token) }
            try await bench.database.change("UPDATE outgoing_files SET expires_at = now()")
            #expect(try await bench.forgetBlobs(inShardOf: blob) == [blob])
        }
    }
}

extension Bench {
    /// An order of a new photo through a new account, or of those of another order.
    fileprivate func order(key: String? = nil, on other: Postcard? = nil) async throws -> StoredPostcard {
        let photo: PhotoID
        let connection: AccountID
        if let other {
            (photo, connection) = (other.photo, other.connection)
        } else {
            photo = try await post().photo
            connection = try await connect()
        }
        return try await store.order(
            NewPostcard(
                id: .make(), owner: owner.id, photo: photo, connection: connection,
                requestKey: key.map { Array($0.utf8) + [UInt8](repeating: 0, count: 32 - $0.utf8.count) },
                fingerprint: [UInt8](repeating: 1, count: 32), sealed: [1, 2, 3], format: "4x6", priceMinor: 270,
                priceCurrency: "GBP", isSandbox: true))
    }

    /// An order that its service has.
    fileprivate func ordered() async throws -> Postcard {
        let made = try await order().postcard
        try await database.change(
            "UPDATE print_orders SET state = 'ordered', remote_id = '7', ordered_at = now() WHERE id = '\(made.id)'")
        return made
    }

    fileprivate func postcard(_ other: Postcard) async throws -> Postcard {
        try await store.postcard(other.id, owner: owner.id).postcard
    }

    fileprivate func endPostcardLeases() async throws {
        try await database.change("UPDATE print_orders SET lease_until = '-infinity'")
    }
}
