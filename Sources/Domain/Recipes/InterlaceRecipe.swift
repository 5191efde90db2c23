/// How several pictures and colours become one, in alternating lines: the first source gives the first line, the next the second,
/// and so on from the top, again and again.
///
/// The result has the size of the first picture.
package struct InterlaceRecipe: Sendable, Hashable, Codable {
    /// The value that orders a line's pixels.
    package enum Source: Sendable, Hashable, Codable {
        /// The next of the pictures that come along.
        case picture
        case colour(RGBColour)
    }

    /// The photos that give the lines, in their order.
    package let sources: [Source]
    /// Of a line, in pixels of the result.
    package let lineHeight: Int
    /// How far each picture lies further to the right than the one before, in pixels of the result; to the left when negative.
    /// Pixels that leave at one side come in at the other.
    package let shift: Int
    /// Whether pictures are made to cover the first. Without it they keep their size and lie in the middle; what they do not
    /// reach is black.
    package let isScaled: Bool

    package static let sourceBounds = 2...8
    package static let lineBounds = 1...1000
    package static let shiftBounds = -10_000...10_000

    /// Nil unless everything is within bounds and there is a picture.
    package init?(sources: [Source], lineHeight: Int, shift: Int, isScaled: Bool) {
        guard Self.sourceBounds.contains(sources.count), sources.contains(.picture),
            Self.lineBounds.contains(lineHeight), Self.shiftBounds.contains(shift)
        else { return nil }
        self.sources = sources
        self.lineHeight = lineHeight
        self.shift = shift
        self.isScaled = isScaled
    }

    /// How many pictures it takes.
    package var pictureCount: Int { sources.count { $0 == .picture } }
}

/// A colour in sRGB.
package struct RGBColour: Sendable, Hashable, Codable, CustomStringConvertible {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// The colour that CSS writes as `#rrggbb`; nil for any other text.
    package init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            let value = UInt32(String(text.dropFirst()), radix: 16), digits.allSatisfy({ $0 != UInt8(ascii: "+") })
        else { return nil }
        self.init(
            red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }

    /// `#rrggbb`, in small letters.
    package var description: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
