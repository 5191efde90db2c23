import CTLS
import EventLoops
import System
import Testing

@testable import TLS

struct TicketTests {
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a ticket resumes a session`(version: Int32) throws {
        let ticket = try ticket(from: sharedContext(), version)

        let second = try connect(sharedContext(), wishes(version, ticket))

        #expect(ticket.isResumable)
        #expect(second.server.isResumed)
        #expect(second.send("hello") == .bytes(5))
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a ticket is good after a reload too`(version: Int32) throws {
        try withCertificateFolder { folder in
            let context = try TLSServerContext(identities: [folder.makeIdentity("server")], protocols: [])
            let ticket = try ticket(from: context, version)

            try context.reload()

            #expect(try connect(context, wishes(version, ticket)).server.isResumed)
        }
    }

    @Test func `a resumed session gets a ticket for the next one`() throws {
        let first = try ticket(from: sharedContext(), TLS1_3_VERSION)
        let resumed = try connect(sharedContext(), wishes(TLS1_3_VERSION, first))
        resumed.takeTickets()
        let second = resumed.client.session

        let third = try connect(sharedContext(), wishes(TLS1_3_VERSION, second))

        #expect(second.id != first.id)
        #expect(third.server.isResumed)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a ticket of another server means a full handshake`(version: Int32) throws {
        let other = try withCertificateFolder { folder in
            try TLSServerContext(identities: [folder.makeIdentity("other")], protocols: [])
        }
        let ticket = try ticket(from: other, version)

        let connection = try connect(sharedContext(), wishes(version, ticket))

        #expect(!connection.server.isResumed)
    }

    @Test(
        arguments: [
            (hours: 0, isResumed: true), (hours: 11, isResumed: true), (hours: 13, isResumed: true),
            (hours: 23, isResumed: true), (hours: 25, isResumed: false), (hours: 1000, isResumed: false),
        ], [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a key opens tickets for a day`(age: (hours: Int, isResumed: Bool), version: Int32) throws {
        let clock = MovableClock()
        let context = try withCertificateFolder { folder in
            try TLSServerContext(
                identities: [folder.makeIdentity("server")], protocols: [], ticketKeys: TicketKeys(now: clock.now))
        }
        let ticket = try ticket(from: context, version)

        clock.move(hours: age.hours)

        #expect(try connect(context, wishes(version, ticket)).server.isResumed == age.isResumed)
    }

    @Test func `a session that a past key sealed is sealed again with the present one`() throws {
        let clock = MovableClock()
        let context = try withCertificateFolder { folder in
            try TLSServerContext(
                identities: [folder.makeIdentity("server")], protocols: [], ticketKeys: TicketKeys(now: clock.now))
        }
        let first = try ticket(from: context, TLS1_2_VERSION)
        clock.move(hours: 13)
        let second = try connect(context, wishes(TLS1_2_VERSION, first)).client.session
        clock.move(hours: 23)

        let third = try connect(context, wishes(TLS1_2_VERSION, second))

        #expect(third.server.isResumed)
    }

    @Test func `a key seals for half a day`() {
        let clock = MovableClock()
        let keys = TicketKeys(now: clock.now)
        let name = {
            keys.withSealingKey { Array(UnsafeRawBufferPointer(start: $0.name, count: TicketKey.nameLength)) }
        }
        let first = name()

        clock.move(hours: 11)
        #expect(name() == first)
        clock.move(hours: 1)
        let second = name()
        #expect(second != first)
        #expect(keys.withKey(named: first) { _, isCurrent in isCurrent } == false)
        #expect(keys.withKey(named: second) { _, isCurrent in isCurrent } == true)
        clock.move(hours: 12)
        #expect(keys.withKey(named: first) { _, isCurrent in isCurrent } == nil)
        #expect(keys.withKey(named: second) { _, isCurrent in isCurrent } == false)
    }

    /// The tickets of a client after its first session.
    private func ticket(from context: TLSServerContext, _ version: Int32) throws -> ClientSession {
        let connection = try connect(context, wishes(version, nil))
        connection.takeTickets()
        return connection.client.session
    }

    private func wishes(_ version: Int32, _ session: ClientSession?) -> ClientWishes {
        ClientWishes(versions: version...version, session: session)
    }
}

private final class MovableClock: Sendable {
    private let time = Lock(ContinuousClock.now)

    func now() -> ContinuousClock.Instant { time.withLock { $0 } }

    func move(hours: Int) { time.withLock { $0 += .seconds(hours * 3600) } }
}
