/// The bidi embeddings and isolates that are open at a point of a text (UAX #9, sections 2.1 to 2.5).
struct BidiNesting {
    private var open: [Unicode.Scalar] = []
    private var isolates = 0

    /// How many marks `closers` has.
    var depth: Int { open.count }

    /// The marks that close all open levels, the innermost first.
    var closers: String {
        var closers = String.UnicodeScalarView()
        for opener in open.reversed() { closers.append(Self.isolates(opener) ? "\u{2069}" : "\u{202C}") }
        return String(closers)
    }

    /// The marks that have opened them, the outermost first.
    var openers: String { String(String.UnicodeScalarView(open)) }

    mutating func read(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x202A, 0x202B, 0x202D, 0x202E: open.append(scalar)
        case 0x2066...0x2068:
            open.append(scalar)
            isolates += 1
        case 0x202C:
            if let last = open.last, !Self.isolates(last) { open.removeLast() }
        case 0x2069 where isolates > 0:
            // An isolate's end ends the embeddings inside it.
            while let last = open.popLast(), !Self.isolates(last) {}
            isolates -= 1
        default: break
        }
    }

    static func opens(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A, 0x202B, 0x202D, 0x202E, 0x2066...0x2068: true
        default: false
        }
    }

    private static func isolates(_ scalar: Unicode.Scalar) -> Bool { 0x2066...0x2068 ~= scalar.value }
}
