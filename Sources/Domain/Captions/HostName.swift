/// Lengths that the domain name system allows (RFC 1035, section 2.3.4), counted as names travel (RFC 3492).
enum HostName {
    static let longestLabel = 63
    static let longestName = 253
    static let encodedPrefix = "xn--"

    /// Can `name` be a host? Labels are not empty, fit, and do not begin or end with a hyphen or an underscore;
    /// `underscores` tells whether they may have one inside.
    static func isValid(_ name: ArraySlice<Unicode.Scalar>, underscores: Bool) -> Bool {
        guard !name.isEmpty, name.count <= longestName else { return false }
        var length = -1
        for label in name.split(separator: ".", omittingEmptySubsequences: false) {
            guard let first = label.first, let last = label.last, !isJoint(first), !isJoint(last) else { return false }
            guard underscores || !label.contains("_") else { return false }
            guard let encoded = encodedLength(of: label), encoded <= longestLabel else { return false }
            length += encoded + 1
        }
        return length <= longestName
    }

    private static func isJoint(_ scalar: Unicode.Scalar) -> Bool { scalar == "-" || scalar == "_" }

    /// The length of `label` with its prefix in Punycode; nil when it claims to be encoded already and is not.
    private static func encodedLength(of label: ArraySlice<Unicode.Scalar>) -> Int? {
        if label.allSatisfy(\.isASCII) { return label.count }
        // Every code point takes a digit at least.
        guard label.count <= longestLabel else { return label.count }
        if label.starts(with: encodedPrefix.unicodeScalars, by: { $0.value | 0x20 == $1.value | 0x20 }) { return nil }
        return encodedPrefix.count + punycodeLength(of: label)
    }

    /// Source: RFC 3492, section 6.3, without the digits themselves.
    private static func punycodeLength(of label: ArraySlice<Unicode.Scalar>) -> Int {
        let basic = label.count(where: \.isASCII)
        var length = basic > 0 ? basic + 1 : 0
        var bias = 72
        var delta = 0
        var handled = basic
        var next = 0x80
        while handled < label.count {
            let smallest = label.lazy.map { Int($0.value) }.filter { $0 >= next }.min() ?? next
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for scalar in label {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                length += digits(of: delta, bias: bias)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return length
    }

    private static func digits(of delta: Int, bias: Int) -> Int {
        var rest = delta
        var count = 1
        var weight = 36
        while true {
            let threshold = min(max(weight - bias, 1), 26)
            if rest < threshold { return count }
            rest = (rest - threshold) / (36 - threshold)
            weight += 36
            count += 1
        }
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var rest = isFirst ? delta / 700 : delta / 2
        rest += rest / count
        var weight = 0
        while rest > 455 {
            rest /= 35
            weight += 36
        }
        return weight + 36 * rest / (rest + 38)
    }
}
