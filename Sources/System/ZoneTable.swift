internal import Glibc

/// The differences to UTC that a zone has had and will have: a file in TZif (RFC 9636).
final class ZoneTable: Sendable {
    /// The folder of the machine's zone files, with a slash at its end.
    static let folder = "/usr/share/zoneinfo/"

    /// Moments, in seconds since 1970 and ascending, from which on the offset of the same place holds.
    private let transitions: [Int64]
    private let offsets: [Int]
    /// Before the first transition.
    private let firstOffset: Int
    /// After the last transition.
    private let rule: ZoneRule?

    private static let known = Lock<[String: ZoneTable]>([:])

    /// Reads a file of the table once; nil when there is none, or it is damaged.
    static func named(_ name: String) -> ZoneTable? {
        if let table = known.withLock({ $0[name] }) { return table }
        guard isName(name), let file = OpenFile(reading: folder + name), let bytes = file.read(at: 0, atMost: 1 << 17),
            let table = ZoneTable(bytes)
        else { return nil }
        known.withLock { $0[name] = table }
        return table
    }

    /// Names as `America/Argentina/Buenos_Aires`; the table's copies in `posix` and `right` are not meant.
    private static func isName(_ name: String) -> Bool {
        guard (1...64).contains(name.utf8.count), !name.hasPrefix("posix"), !name.hasPrefix("right/") else {
            return false
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            part.utf8.first.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ?? false
                && part.utf8.allSatisfy { $0.isASCIILetterOrDigit || "+-_".utf8.contains($0) }
        }
    }

    /// Nil when the bytes are no such file of version 2 or later.
    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes)
        guard let first = reader.header(), first.version >= UInt8(ascii: "2"), reader.skip(first.length(timeSize: 4)),
            let second = reader.header(), let times = reader.integers(second.times, size: 8),
            let places = reader.integers(second.times, size: 1)
        else { return nil }
        var types: [Int] = []
        for _ in 0..<second.types {
            guard let offset = reader.integers(1, size: 4)?.first, reader.skip(2) else { return nil }
            types.append(Int(Int32(truncatingIfNeeded: offset)))
        }
        guard let standard = types.first, abs(standard) < 86_400, types.allSatisfy({ abs($0) < 7 * 86_400 }),
            places.allSatisfy({ types.indices.contains(Int($0)) }), zip(times, times.dropFirst()).allSatisfy(<),
            reader.skip(second.characters + 12 * second.leaps + second.standards + second.universals)
        else { return nil }
        transitions = times
        offsets = places.map { types[Int($0)] }
        firstOffset = standard
        rule = reader.line().flatMap(ZoneRule.init)
    }

    /// The difference to UTC, in seconds.
    func offset(at moment: Int64) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= moment { low = middle + 1 } else { high = middle }
        }
        if low == transitions.count, let rule { return rule.offset(at: moment) }
        return low == 0 ? firstOffset : offsets[low - 1]
    }

    private struct Header {
        let version: UInt8
        let universals, standards, leaps, times, types, characters: Int

        func length(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + standards + universals
        }
    }

    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        mutating func header() -> Header? {
            guard rest.starts(with: "TZif".utf8), rest.count >= 44 else { return nil }
            let version = rest[rest.startIndex + 4]
            rest = rest.dropFirst(20)
            guard let counts = integers(6, size: 4)?.map({ Int($0) }), counts.allSatisfy({ (0...10_000).contains($0) })
            else { return nil }
            return Header(
                version: version, universals: counts[0], standards: counts[1], leaps: counts[2], times: counts[3],
                types: counts[4], characters: counts[5])
        }

        mutating func skip(_ count: Int) -> Bool {
            guard rest.count >= count else { return false }
            rest = rest.dropFirst(count)
            return true
        }

        /// Big-endian.
        mutating func integers(_ count: Int, size: Int) -> [Int64]? {
            guard rest.count >= count * size else { return nil }
            let integers = (0..<count).map { index in
                rest.dropFirst(index * size).prefix(size).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            }
            rest = rest.dropFirst(count * size)
            return integers
        }

        /// The text between this line end and the next; nil where there is no line end.
        mutating func line() -> Substring? {
            guard rest.first == UInt8(ascii: "\n") else { return nil }
            return String(decoding: rest.dropFirst(), as: UTF8.self).split(separator: "\n").first
        }
    }
}

/// The rule for the time after a zone's last transition: a value of `TZ` (POSIX; RFC 9636, section 3.3.1).
struct ZoneRule {
    private let standard: Int
    private let summer: (offset: Int, begin: Change, end: Change)?

    private enum Day {
        /// From 1 to 365; 29 February is never counted.
        case julian(Int)
        /// From 0 to 365.
        case ofYear(Int)
        /// A weekday, Sunday being 0, of a month; the fifth is the last.
        case weekday(Int, week: Int, month: Int)
    }

    private struct Change {
        let day: Day
        /// From midnight, in seconds.
        let time: Int
    }

    /// Reads as in `CET-1CEST,M3.5.0,M10.5.0/3`; nil for what is no rule.
    init?(_ text: Substring) {
        var rest = text
        guard Self.skipName(&rest), let west = Self.time(&rest) else { return nil }
        standard = -west
        guard !rest.isEmpty else {
            summer = nil
            return
        }
        guard Self.skipName(&rest) else { return nil }
        let offset = rest.hasPrefix(",") ? standard + 3600 : Self.time(&rest).map { -$0 }
        guard let offset, let begin = Self.change(&rest), let end = Self.change(&rest), rest.isEmpty else { return nil }
        summer = (offset, begin, end)
    }

    /// The difference to UTC, in seconds.
    func offset(at moment: Int64) -> Int {
        guard let summer else { return standard }
        let year = CivilTime(secondsSince1970: moment + Int64(standard)).date.year
        let begin = Self.moment(summer.begin, year) - Int64(standard)
        let end = Self.moment(summer.end, year) - Int64(summer.offset)
        let isSummer = begin < end ? moment >= begin && moment < end : moment >= begin || moment < end
        return isSummer ? summer.offset : standard
    }

    /// The moment of a change in a year, in seconds since 1970 as the zone's clock shows it before the change.
    private static func moment(_ change: Change, _ year: Int) -> Int64 {
        let newYear = CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? 0
        let days: Int
        switch change.day {
        case .julian(let day):
            let isLeap = CivilDate(year: year, month: 2, day: 29) != nil
            days = newYear + day - 1 + (isLeap && day > 59 ? 1 : 0)
        case .ofYear(let day): days = newYear + day
        case .weekday(let weekday, let week, let month):
            let first = CivilDate(year: year, month: month, day: 1)?.daysSince1970 ?? newYear
            // 1 January 1970 was a Thursday.
            let firstWeekday = ((first + 4) % 7 + 7) % 7
            var day = 1 + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            while CivilDate(year: year, month: month, day: day) == nil, day > 7 { day -= 7 }
            days = first + day - 1
        }
        return Int64(days) * 86_400 + Int64(change.time)
    }

    private static func skipName(_ rest: inout Substring) -> Bool {
        if rest.hasPrefix("<") {
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let name = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest[name.endIndex...]
        return name.count >= 3
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    private static func time(_ rest: inout Substring) -> Int? {
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest.removeFirst() }
        let text = rest.prefix { $0.isASCII && $0.isNumber || $0 == ":" }
        rest = rest[text.endIndex...]
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0
        for (part, unit) in zip(parts, [3600, 60, 1]) {
            guard let part, part <= (unit == 3600 ? 167 : 59) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    private static func change(_ rest: inout Substring) -> Change? {
        guard rest.hasPrefix(",") else { return nil }
        rest.removeFirst()
        let text = rest.prefix { $0 != "/" && $0 != "," }
        rest = rest[text.endIndex...]
        guard let day = day(text) else { return nil }
        guard rest.hasPrefix("/") else { return Change(day: day, time: 2 * 3600) }
        rest.removeFirst()
        return time(&rest).map { Change(day: day, time: $0) }
    }

    private static func day(_ text: Substring) -> Day? {
        switch text.first {
        case "M":
            let numbers = text.dropFirst().split(separator: ".").compactMap { Int($0) }
            guard numbers.count == 3, 1...12 ~= numbers[0], 1...5 ~= numbers[1], 0...6 ~= numbers[2] else { return nil }
            return .weekday(numbers[2], week: numbers[1], month: numbers[0])
        case "J": return Int(text.dropFirst()).flatMap { 1...365 ~= $0 ? .julian($0) : nil }
        default: return Int(text).flatMap { 0...365 ~= $0 ? .ofYear($0) : nil }
        }
    }
}
