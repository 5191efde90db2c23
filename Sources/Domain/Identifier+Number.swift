package import FoundationEssentials

extension Identifier {
    /// The identifier as a number of at most 63 bits, for clients that know no UUIDs: the milliseconds since 1970 and 16 bits that follow
    /// them, as Mastodon's identifiers are made. Numbers are in the order of the identifiers. Two of the same millisecond have the same
    /// number once in 65,536 times.
    package var number: Int64 {
        let bytes = uuid.uuid
        let milliseconds =
            UInt64(bytes.0) << 40 | UInt64(bytes.1) << 32 | UInt64(bytes.2) << 24 | UInt64(bytes.3) << 16
            | UInt64(bytes.4) << 8 | UInt64(bytes.5)
        let rest = UInt64(bytes.6 & 0x0F) << 12 | UInt64(bytes.7) << 4 | UInt64(bytes.8 & 0x3F) >> 2
        return Int64(bitPattern: (milliseconds << 16 | rest) & UInt64(Int64.max))
    }

    /// The least identifier that has this number, which must not be negative: all with smaller ones come before it.
    package static func least(number: Int64) -> Self {
        let bits = UInt64(bitPattern: max(0, number))
        func byte(_ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: bits >> shift) }
        return Self(
            UUID(
                uuid: (
                    byte(56), byte(48), byte(40), byte(32), byte(24), byte(16), 0x70 | byte(12) & 0x0F, byte(4),
                    0x80 | byte(0) << 2 & 0x3F, 0, 0, 0, 0, 0, 0, 0
                )))
    }

    /// The identifiers that have this number: from the first on, and before the second.
    package static func all(number: Int64) -> (from: Self, before: Self) {
        (least(number: number), least(number: number == .max ? number : number + 1))
    }

    /// New identifiers with a number each, their order that of `date`; nil is now.
    package static func distinct(count: Int, at date: Date? = nil) -> [Self] {
        var numbers: Set<Int64> = []
        var ids: [Self] = []
        while ids.count < count {
            let id = make(at: date ?? Date())
            if numbers.insert(id.number).inserted { ids.append(id) }
        }
        return ids
    }
}
