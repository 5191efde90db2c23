/// The bytes that messages are made of (RFC 9110, section 5.6; RFC 9112, section 2).
extension UInt8 {
    static var cr: UInt8 { 0x0D }
    static var lf: UInt8 { 0x0A }
    static var space: UInt8 { 0x20 }
    static var tab: UInt8 { 0x09 }

    var isSpaceOrTab: Bool { self == .space || self == .tab }

    var isDigit: Bool { self &- 0x30 < 10 }

    /// A letter, a digit or one of ``!#$%&'*+-.^_`|~``: what methods and field names are made of.
    ///
    /// A bit for every ASCII code, so that a look costs no memory access.
    var isToken: Bool {
        guard self < 0x80 else { return false }
        let mask: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return mask >> UInt64(self & 63) & 1 == 1
    }

    /// A byte of a field value: visible characters, spaces, tabs and bytes beyond ASCII (RFC 9110, section 5.5).
    var isFieldValue: Bool { self >= 0x20 && self != 0x7F || self == .tab }

    /// A byte of a request target: visible ASCII without the fragment's `#`.
    var isTarget: Bool { self &- 0x21 < 0x5E && self != 0x23 }

    /// The value of a hex digit of either case.
    var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }

    var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension Span<UInt8> {
    /// Whether the bytes of `range` are `text`, which stands in small letters, without regard to case.
    func equals(_ text: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<range.count where self[range.lowerBound + index].lowercased != text.utf8Start[index] {
            return false
        }
        return true
    }

    /// Whether the bytes of `range` are exactly `text`.
    func holds(_ text: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        var offset = 0
        while offset < range.count {
            guard self[range.lowerBound + offset] == text.utf8Start[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// The range without spaces and tabs at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isSpaceOrTab { start += 1 }
        while start < end, self[end - 1].isSpaceOrTab { end -= 1 }
        return start..<end
    }

    /// The place of the first `byte` in `range`.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound, self[index] != byte { index += 1 }
        return index < range.upperBound ? index : nil
    }

    /// Calls `element` with each part between commas, without the spaces around it; empty parts are skipped.
    func forEachElement(of range: Range<Int>, _ element: (Range<Int>) -> Void) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = firstIndex(of: UInt8(ascii: ","), in: start..<range.upperBound) ?? range.upperBound
            let part = trimmed(start..<end)
            if !part.isEmpty { element(part) }
            start = end + 1
        }
    }
}
