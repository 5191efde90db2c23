internal import Crypto
internal import Testing

@testable internal import Submitters

struct ProtobufTests {
    private func message(_ hex: String) throws -> ProtobufMessage? {
        ProtobufMessage(parsing: try #require(Hex.decode(hex)))
    }

    @Test(arguments: [
        "08", "0880", "08ffffffffffffffffff02", "08ffffffffffffffffffff01", "00", "0000", "0a", "0a05616263",
        "0affffffffffffffffff01", "0affffffff0f61", "09", "0901020304050607", "0d", "0d010203", "0b", "0b0c", "0c",
        "0e01",
        "0f01", "8080808080808080808001", "808080801000",
    ])
    func `what is no message is not read`(hex: String) throws {
        #expect(try message(hex) == nil)
    }

    @Test func `every field that came is kept, known or not, and written as it was`() throws {
        // A double, a float, the greatest number of a field, the greatest value, and an empty text.
        let hex = "09000000000000f83f" + "150000c03f" + "f8ffffff0f01" + "18ffffffffffffffffff01" + "2200"
        let read = try #require(try message(hex))

        #expect(read.fields.map(\.number) == [1, 2, 0x1FFF_FFFF, 3, 4])
        #expect(read.number(3) == .max && read.text(4).isEmpty)
        #expect(Hex.encode(read.serialized) == hex)
    }

    @Test func `of a field that came twice the last counts, and a message in pieces is one`() throws {
        let read = try #require(try message("0801" + "0802" + "120161" + "120162" + "1a020801" + "1a03120163"))

        #expect(read.number(1) == 2 && read.text(2) == "b")
        #expect(read.message(3)?.number(1) == 1 && read.message(3)?.text(2) == "c")
        #expect(read.messages(3)?.count == 2)
    }

    @Test func `a field of another kind than expected is as if it were not there`() throws {
        let read = try #require(try message("0a0161" + "1005" + "1a01ff"))

        #expect(read.number(1) == 0 && read.text(2).isEmpty && read.message(2) == nil && read.text(3).isEmpty)
        #expect(read.message(1) == nil && read.messages(1) == nil)
    }

    @Test func `a message that is cut or changed anywhere is refused, or read and written again`() throws {
        let whole = try #require(
            Hex.decode("0a0748c3b668656e21" + "10ac02" + "09000000000000f83f" + "150000c03f" + "1a0412020801"))
        for index in whole.indices {
            let cut = Array(whole[..<index])
            if let read = ProtobufMessage(parsing: cut) { #expect(read.serialized == cut) }
            for value in UInt8.min...UInt8.max {
                var changed = whole
                changed[index] = value
                guard let read = ProtobufMessage(parsing: changed) else { continue }
                // A number may have been longer than it needs to be.
                #expect(ProtobufMessage(parsing: read.serialized) == read)
                #expect(read.serialized.count <= changed.count)
            }
        }
    }
}
