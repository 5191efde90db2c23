/// A program's release, such as 0.2.0.
package struct Release: Comparable, Hashable, Sendable, CustomStringConvertible {
    private let numbers: [Int]

    package init(_ major: Int, _ minor: Int, _ patch: Int) { numbers = [major, minor, patch] }

    /// Takes three numbers with points between them; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy { ("0"..."9").contains($0) } ? Int($0) : nil }
        guard numbers.count == 3, parts.count == 3 else { return nil }
        self.numbers = numbers
    }

    package var description: String { numbers.map(String.init).joined(separator: ".") }

    package static func < (one: Release, other: Release) -> Bool {
        one.numbers.lexicographicallyPrecedes(other.numbers)
    }
}
