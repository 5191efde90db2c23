import Domain
import Foundation
import Testing

/// Identifiers as decimal numbers.
struct IdentifierNumberTests {
    @Test func `numbers are in the order of identifiers, positive, and of 63 bits`() {
        var identifiers = (0..<2000).map { _ in PhotoID.make(at: Date(timeIntervalSince1970: .random(in: 1e9..<4e9))) }
        identifiers += (0..<2000).map { _ in PhotoID.make() }
        identifiers.sort { $0.description < $1.description }

        let numbers = identifiers.map(\.number)
        #expect(numbers == numbers.sorted() && numbers.allSatisfy { $0 > 0 })
        #expect(numbers.allSatisfy { String($0).count == String(numbers[0]).count || $0 > numbers[0] })
    }

    @Test func `an identifier is among those of its number, and of no other`() {
        for _ in 0..<2000 {
            let id = PhotoID.make()
            let own = PhotoID.all(number: id.number)
            let next = PhotoID.all(number: id.number + 1)
            let last = PhotoID.all(number: id.number - 1)
            #expect(own.from.description <= id.description && id.description < own.before.description)
            #expect(next.from.description > id.description && last.before.description <= id.description)
            #expect(own.from.number == id.number)
        }
    }

    @Test func `the first milliseconds of a number are those of the identifier`() {
        let moment = Date(timeIntervalSince1970: 1_700_000_000.123)
        #expect(PhotoID.make(at: moment).number >> 16 == 1_700_000_000_123)
    }

    @Test func `pictures of one post have a number each`() {
        for _ in 0..<200 {
            let ids = PhotoID.distinct(count: 20)
            #expect(Set(ids.map(\.number)).count == 20)
        }
    }

    @Test(arguments: [0, 1, .max - 1, .max] as [Int64])
    func `every number names a range`(number: Int64) {
        let (from, before) = PhotoID.all(number: number)
        #expect(from.description <= before.description && from.number == number)
    }
}
