import Testing

@testable import Blobs

struct EarlyWritebackTests {
    private let stride = EarlyWriteback.stride

    @Test func `each whole stride is given once, when it is whole`() {
        var writeback = EarlyWriteback()

        #expect(writeback.due(at: 0) == nil)
        #expect(writeback.due(at: stride - 1) == nil)
        #expect(writeback.due(at: stride) == 0..<stride)
        #expect(writeback.due(at: stride) == nil)
        #expect(writeback.due(at: 2 * stride - 1) == nil)
        #expect(writeback.due(at: 4 * stride + 1) == stride..<4 * stride)
    }
}
