extension String {
    /// The text on one line, fit for a terminal, from any source: what would move the cursor, change colours or turn the
    /// direction of text shows as `�`, and line ends and tabs become spaces.
    var printable: String {
        replacingScalars { scalar in
            switch scalar {
            case "\t", "\n", "\r": " "
            default: scalar.actsOnTerminals ? "\u{FFFD}" : scalar
            }
        }
    }

    /// The same with its line ends, for text of more lines that Pics has put together.
    var printableLines: String {
        replacingScalars { scalar in
            switch scalar {
            case "\n": "\n"
            case "\t": " "
            default: scalar.actsOnTerminals ? "\u{FFFD}" : scalar
            }
        }
    }

    private func replacingScalars(_ replacement: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars { result.append(replacement(scalar)) }
        return String(result)
    }
}

extension Unicode.Scalar {
    /// C0, DEL and C1 (ECMA-48), and the overrides and isolates of the bidirectional algorithm (UAX #9, section 2).
    fileprivate var actsOnTerminals: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
