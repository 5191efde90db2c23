extension Unicode.Scalar {
    /// Whether pages and feeds show it.
    ///
    /// `Char` of XML 1.0, section 2.2, without the C1 controls that it discourages and without what HTML calls
    /// noncharacters; and no mark that would turn the direction of what follows it.
    var isShown: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0x7F..<0xA0: false
        // Embeddings, overrides and isolates (Unicode Standard Annex 9, section 2).
        case 0x202A...0x202E, 0x2066...0x2069: false
        case 0xFDD0...0xFDEF: false
        default: value & 0xFFFE != 0xFFFE
        }
    }
}
