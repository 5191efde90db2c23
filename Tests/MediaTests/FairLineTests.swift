import Testing

@testable import Media

struct FairLineTests {
    @Test func `owners take turns, each in the order in which it came`() {
        var line = FairLine<String, Int>(limit: 100)
        for number in 1...4 { #expect(line.add(number, of: "a") == nil) }
        for number in 11...12 { #expect(line.add(number, of: "b") == nil) }

        var order: [Int] = []
        while let next = line.next() { order.append(next.element) }

        #expect(order == [1, 11, 2, 12, 3, 4])
        #expect(line.isEmpty)
    }

    @Test func `who comes back again and again does not pass those who wait`() {
        var line = FairLine<String, Int>(limit: 100)
        for number in 1...3 { _ = line.add(number, of: "a") }
        var order: [Int] = []

        for number in 11...13 {
            _ = line.add(number, of: "b")
            order += [line.next()?.element, line.next()?.element].compactMap { $0 }
        }

        #expect(order.filter { $0 < 10 } == [1, 2, 3])
    }

    @Test func `who has least under way goes first, and of an owner what has the lowest rank`() {
        var line = FairLine<String, Int>(limit: 100)
        _ = line.add(1, of: "a")
        _ = line.add(2, of: "b", rank: 1)
        _ = line.add(3, of: "b")

        let first = line.next { ["a": 2, "b": 1][$0] ?? 0 }
        let second = line.next {
            ["a": 2, "b": 1][$0] ?? 0
        } where: { _, number in
            number != 2
        }

        #expect(first?.element == 3)
        #expect(second?.element == 1)
    }

    @Test func `a full line turns away who has most in it, and admits who has less`() {
        var line = FairLine<String, Int>(limit: 4)
        for number in 1...4 { _ = line.add(number, of: "a") }

        #expect(line.add(5, of: "a") == 5)
        #expect(line.add(11, of: "b") == 4)
        #expect(line.add(12, of: "b") == 3)
        // As many as the other has: no more.
        #expect(line.add(13, of: "b") == 13)
        #expect(line.count == 4)
    }

    @Test func `in a full line an owner's views give way to the owner's work, and nobody else's work`() {
        var line = FairLine<String, Int>(limit: 4)
        for number in 1...2 { _ = line.add(number, of: "a", rank: 1) }
        for number in 11...12 { _ = line.add(number, of: "b", rank: 1) }

        #expect(line.add(3, of: "a") == 2)
        #expect(line.add(4, of: "a") == 1)
        #expect(line.add(5, of: "a") == 5)
    }

    @Test func `what does not want to wait any more is taken out`() {
        var line = FairLine<String, Int>(limit: 4)
        for number in 1...3 { _ = line.add(number, of: "a") }

        #expect(line.remove(of: "a") { $0 == 2 } == 2)
        #expect(line.remove(of: "a") { $0 == 2 } == nil)
        #expect(line.removeAll() == [1, 3])
        #expect(line.next() == nil)
    }
}
