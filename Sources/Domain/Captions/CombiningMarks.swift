/// Prepares combining marks for the standard library's NFC. Nothing here changes the result that UAX #15 asks for.
///
/// The library orders a run of marks with a sort that takes the square of its length (100,000 marks keep it busy for
/// seconds), and it misorders marks that are made of two. It is fast and right when long runs are in order before and
/// such marks have been taken apart.
enum CombiningMarks {
    /// A run up to this length is left alone; no language needs more than 30 (UAX #15, "Stream-Safe Text Format").
    private static let harmlessRun = 30

    /// The same text with long runs of marks in canonical order.
    static func prepared(_ scalars: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        result.reserveCapacity(scalars.count)
        var run = 0
        func endRun() {
            if run > harmlessRun { order(last: run, of: &result) }
            run = 0
        }
        for scalar in scalars {
            let parts = decomposition(of: scalar)
            if parts == nil, !isMark(scalar) { endRun() } else { run += parts?.count ?? 1 }
            if let parts { result += parts } else { result.append(scalar) }
        }
        endRun()
        return result
    }

    /// Orders the `count` marks at the end by their combining class; equal classes keep their order.
    private static func order(last count: Int, of scalars: inout [Unicode.Scalar]) {
        let classes = Dictionary(grouping: scalars.suffix(count)) { $0.properties.canonicalCombiningClass.rawValue }
        scalars.removeLast(count)
        for combiningClass in classes.keys.sorted() { scalars += classes[combiningClass, default: []] }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
    }

    /// The parts of the four marks that are made of two (UAX #15, "Non-Starter Decompositions"); NFC never joins them.
    private static func decomposition(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        switch scalar {
        case "\u{344}": ["\u{308}", "\u{301}"]
        case "\u{F73}": ["\u{F71}", "\u{F72}"]
        case "\u{F75}": ["\u{F71}", "\u{F74}"]
        case "\u{F81}": ["\u{F71}", "\u{F80}"]
        default: nil
        }
    }
}
