internal import Foundation

/// Times as they stand in a log: RFC 3339 in UTC with milliseconds, like `2026-11-21T19:30:00.123Z`.
enum Timestamp {
    static func append(_ time: Date, to line: inout [UInt8]) {
        let milliseconds = Int((time.timeIntervalSince1970 * 1000).rounded(.down))
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        append(Int(parts.tm_year) + 1900, digits: 4, then: "-", to: &line)
        append(Int(parts.tm_mon) + 1, digits: 2, then: "-", to: &line)
        append(Int(parts.tm_mday), digits: 2, then: "T", to: &line)
        append(Int(parts.tm_hour), digits: 2, then: ":", to: &line)
        append(Int(parts.tm_min), digits: 2, then: ":", to: &line)
        append(Int(parts.tm_sec), digits: 2, then: ".", to: &line)
        append(milliseconds % 1000, digits: 3, then: "Z", to: &line)
    }

    private static func append(_ number: Int, digits: Int, then end: Unicode.Scalar, to line: inout [UInt8]) {
        var divisor = digits == 4 ? 1000 : digits == 3 ? 100 : 10
        while divisor > 0 {
            line.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
        line.append(UInt8(ascii: end))
    }
}
