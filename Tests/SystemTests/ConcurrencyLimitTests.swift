import System
import Testing

struct ConcurrencyLimitTests {
    @Test func `each key has its share, and all together theirs`() {
        let limit = ConcurrencyLimit<String>(each: 2, all: 3)
        var permits = ["a", "a", "b"].map { limit.take($0) }

        #expect(permits.allSatisfy { $0 != nil })
        #expect(limit.take("a") == nil && limit.take("c") == nil)
        permits.removeFirst()
        // One that was let go is there again, for anybody.
        let another = limit.take("c")
        #expect(another != nil && limit.take("a") == nil)
    }
}
