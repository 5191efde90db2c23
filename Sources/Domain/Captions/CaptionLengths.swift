/// The length of a text by a rule.
struct CaptionLengths: AdditiveArithmetic {
    /// In the rule's unit.
    var length: Int
    /// In the unit of the rule's ceiling; 0 without one.
    var underCeiling: Int

    static let zero = CaptionLengths(length: 0, underCeiling: 0)

    func isWithin(_ limits: CaptionLengths) -> Bool {
        length <= limits.length && underCeiling <= limits.underCeiling
    }

    static func + (left: Self, right: Self) -> Self {
        CaptionLengths(length: left.length + right.length, underCeiling: left.underCeiling + right.underCeiling)
    }

    static func - (left: Self, right: Self) -> Self {
        CaptionLengths(length: left.length - right.length, underCeiling: left.underCeiling - right.underCeiling)
    }
}
