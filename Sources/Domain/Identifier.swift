package import FoundationEssentials

/// The UUIDv7 of one kind of thing: a `PhotoID` cannot be passed where a `UserID` is asked for.
///
/// Version 7 (RFC 9562, section 5.7) starts with the milliseconds since 1970, so newer identifiers sort after older
/// ones and a B-tree grows at its end.
package struct Identifier<Thing>: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let uuid: UUID

    /// An identifier read from the database.
    package init(_ uuid: UUID) { self.uuid = uuid }

    /// An identifier read from a URL or a body: the 36 characters of RFC 9562, either case. Nil for anything else.
    package init?(_ text: String) {
        guard let uuid = readUUID(text) else { return nil }
        self.uuid = uuid
    }

    /// A new identifier, its order that of `now`, its 74 random bits from the system's secure source. A precise one is also in the order within a
    /// millisecond (section 6.2, method 3), and has 62 random bits.
    package static func make(at now: Date = Date(), isPrecise: Bool = false) -> Self {
        var random = SystemRandomNumberGenerator()
        let time = max(0, now.timeIntervalSince1970 * 1000)
        let milliseconds = UInt64(time)
        let rest =
            isPrecise ? UInt64((time - Double(milliseconds)) * 0x1000) & 0xFFF : random.next(upperBound: UInt64(0x1000))
        let high = milliseconds << 16 | 0x7000 | rest
        let low = 0x8000_0000_0000_0000 | random.next() >> 2
        let bytes = [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        return Self(
            UUID(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                    bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
                )))
    }

    /// The 36 characters of RFC 9562 in lower case.
    package var description: String { uuidText(uuid) }

    package static func < (left: Self, right: Self) -> Bool { left.uuid < right.uuid }
}

package typealias UserID = Identifier<User>
package typealias PhotoID = Identifier<Photo>
package typealias AccountID = Identifier<Account>
package typealias SubmissionID = Identifier<Submission>

/// The kind of a token's identifier; the token itself is never stored.
package enum TokenTag {}
package typealias TokenID = Identifier<TokenTag>

/// The kind of the identifier of a connection that was begun in a browser.
package enum AuthorizationTag {}
package typealias AuthorizationID = Identifier<AuthorizationTag>
