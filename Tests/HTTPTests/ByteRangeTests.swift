import HTTP
import Testing

struct ByteRangeTests {
    @Test(
        arguments: [
            nil, "items=0-1", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=1--2", "bytes=0-1-2",
            "bytes=0 - 1", "bytes =0-1", "bytes=+1-2", "bytes=0x1-2", "bytes=,", "bytes=0-1,x", "bytes=0-1;2-3",
            "bytes=0-1, bytes=2-3", "bytes=٣-4",
        ] as [String?])
    func `a range that cannot be understood is ignored`(value: String?) {
        #expect(ByteRange.request(value, total: 10) == .whole)
    }

    @Test(arguments: [
        ("bytes=0-0", "bytes 0-0/10"), ("bytes=2-", "bytes 2-9/10"), ("bytes=-3", "bytes 7-9/10"),
        ("Bytes=4-99999999999999999999", "bytes 4-9/10"), ("bytes=-20", "bytes 0-9/10"),
        ("bytes=-99999999999999999999", "bytes 0-9/10"), ("bytes=\t0-9 ", "bytes 0-9/10"),
        ("bytes=0-9223372036854775807", "bytes 0-9/10"), ("bytes=,0-1,", "bytes 0-1/10"),
    ])
    func `one range is cut to what there is`(value: String, expected: String) {
        #expect(parts(value) == [expected])
    }

    @Test(arguments: [
        ("bytes=0-0,-1", ["bytes 0-0/10", "bytes 9-9/10"]),
        ("bytes=8-9, 0-1", ["bytes 8-9/10", "bytes 0-1/10"]),
        ("bytes=0-1 ,\t4-5,,7-", ["bytes 0-1/10", "bytes 4-5/10", "bytes 7-9/10"]),
        // Ranges beyond the end are left out while others exist.
        ("bytes=20-30,0-1,-0", ["bytes 0-1/10"]),
        // Ranges that overlap or touch become one, in the place of the first.
        ("bytes=0-3,2-5", ["bytes 0-5/10"]), ("bytes=0-1,2-3", ["bytes 0-3/10"]),
        ("bytes=0-1,8-9,2-3", ["bytes 0-3/10", "bytes 8-9/10"]),
        ("bytes=6-7,0-1,2-5", ["bytes 0-7/10"]), ("bytes=8-,0-1,-3", ["bytes 7-9/10", "bytes 0-1/10"]),
        ("bytes=0-0,0-0,0-0", ["bytes 0-0/10"]), ("bytes=4-4,2-2,0-9", ["bytes 0-9/10"]),
    ])
    func `several ranges stay in their order, and none is sent twice`(value: String, expected: [String]) {
        #expect(parts(value) == expected)
    }

    @Test func `more ranges than the limit get the whole`() {
        let some = (0..<ByteRange.limit).map { "\($0 * 3)-\($0 * 3)" }.joined(separator: ",")

        #expect(parts("bytes=\(some)", total: 100).count == ByteRange.limit)
        #expect(ByteRange.request("bytes=\(some),99-", total: 100) == .whole)
        #expect(ByteRange.request("bytes=" + String(repeating: "0-,", count: 5_000), total: 100) == .whole)
    }

    @Test(arguments: [
        ("bytes=10-", 10), ("bytes=99999999999999999999-", 10), ("bytes=-0", 10), ("bytes=0-", 0), ("bytes=10-,-0", 10),
        ("bytes=0-0", 0),
    ])
    func `a range beyond the end cannot be satisfied`(value: String, total: Int64) {
        #expect(ByteRange.request(value, total: total) == .unsatisfiable)
        #expect(ByteRange.unsatisfied(total: total) == "bytes */\(total)")
    }

    @Test func `the end of nothing is the whole of it`() {
        #expect(ByteRange.request("bytes=-5", total: 0) == .whole)
    }

    private func parts(_ value: String, total: Int64 = 10) -> [String] {
        guard case .parts(let parts) = ByteRange.request(value, total: total) else { return [] }
        return parts.map(\.contentRange)
    }
}
