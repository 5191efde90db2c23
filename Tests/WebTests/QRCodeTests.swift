import Formats
import Testing

@testable import Web

struct QRCodeTests {
    @Test func `a code has its three finders, and a margin around it`() throws {
        let code = try #require(QRCode("https://pics.example/Ab3dE9xZ"))
        let ring = "1111111 1000001 1011101 1011101 1011101 1000001 1111111"

        // Version 3 is the smallest that holds the 29 bytes at level M (ISO/IEC 18004, table 7).
        #expect(code.side == 29)
        for (x, y) in [(0, 0), (22, 0), (0, 22)] {
            let rows = (0..<7).map { row in (0..<7).map { code[x + $0, y + row] ? "1" : "0" }.joined() }
            #expect(rows.joined(separator: " ") == ring)
        }
        #expect(code.svg.contains("viewBox=\"0 0 37 37\"") && code.svg.contains("d=\"M4 4h7v1H4z"))
    }

    @Test(arguments: ["", "a\0b", String(repeating: "a", count: 2332)])
    func `what no code can hold gives none`(text: String) {
        #expect(QRCode(text) == nil)
    }
}
