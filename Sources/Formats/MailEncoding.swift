/// Header fields of mail, in ASCII and in lines of 76 characters at most. No value can end its field: control characters become spaces.
enum MailHeader {
    /// RFC 2047, section 2: of a line with encoded words, and of one word.
    private static let longestLine = 76
    private static let longestWord = 75
    private static let wordStart = "=?UTF-8?B?"
    private static let wordEnd = "?="

    /// A field of free words: as it is where it is short and in ASCII, else in encoded words.
    static func text(_ name: String, _ value: String) -> String {
        let value = cleaned(value)
        let line = "\(name): \(value)"
        guard !isPlain(value) || line.utf8.count > longestLine else { return "\(line)\r\n" }
        return "\(name): \(encodedWords(value, behind: name.utf8.count + 2).joined(separator: "\r\n "))\r\n"
    }

    /// A field whose value is made of words that need no encoding, apart by spaces: it is folded there.
    static func structured(_ name: String, _ words: [String]) -> String {
        var (lines, line) = ("", "\(name):")
        for word in words {
            if line.utf8.count + 1 + word.utf8.count > longestLine, line.utf8.count > name.utf8.count + 1 {
                lines += "\(line)\r\n"
                line = ""
            }
            line += " \(word)"
        }
        return "\(lines)\(line)\r\n"
    }

    /// The name of a person or place before an address (RFC 5322, `display-name`).
    static func phrase(_ name: String) -> [String] {
        let name = cleaned(name)
        guard isPlain(name), name.utf8.count <= 60 else { return encodedWords(name, behind: 10) }
        return ["\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""]
    }

    /// A parameter of a field, such as a file's name; what is not ASCII by RFC 2231, section 4.
    static func parameter(_ name: String, _ value: String) -> String {
        let value = cleaned(value)
        guard !isPlain(value) else {
            return "\(name)=\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = value.utf8.reduce(into: [UInt8]()) { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return "\(name)*=UTF-8''\(String(decoding: encoded, as: UTF8.self))"
    }

    private static func cleaned(_ value: String) -> String {
        String(
            String.UnicodeScalarView(value.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    private static func isPlain(_ value: String) -> Bool {
        value.utf8.allSatisfy { 0x20...0x7E ~= $0 } && !value.contains("=?")
    }

    /// Words to be set apart by spaces or folds; `used` are the characters of the first line before them.
    private static func encodedWords(_ value: String, behind used: Int) -> [String] {
        let most = { (room: Int) in (room - wordStart.utf8.count - wordEnd.utf8.count) / 4 * 3 }
        var (words, word): ([String], [UInt8]) = ([], [])
        // A word holds whole code points.
        for scalar in value.unicodeScalars {
            let room = most(words.isEmpty ? min(longestWord, longestLine - used) : longestWord)
            let bytes = Array(String(scalar).utf8)
            if !word.isEmpty, word.count + bytes.count > room {
                words.append(MailBody.base64(word))
                word = []
            }
            word += bytes
        }
        words.append(MailBody.base64(word))
        return words.map { "\(wordStart)\($0)\(wordEnd)" }
    }
}

/// The encodings of bodies (RFC 2045, section 6): every line has 76 characters at most and ends with CR LF.
package enum MailBody {
    /// The bytes of a whole line in base64.
    package static let bytesOfLine = 57

    /// The length that so many bytes have in lines of base64.
    package static func length(ofBase64 bytes: Int64) -> Int64 {
        let (lines, rest) = bytes.quotientAndRemainder(dividingBy: Int64(bytesOfLine))
        return lines * 78 + (rest == 0 ? 0 : (rest + 2) / 3 * 4 + 2)
    }

    /// The most bytes that have such a length in lines of base64.
    package static func bytes(inBase64 length: Int64) -> Int64 {
        let (lines, rest) = max(length, 0).quotientAndRemainder(dividingBy: 78)
        return lines * Int64(bytesOfLine) + max(0, rest - 2) / 4 * 3
    }

    /// Lines of base64. A piece of a file must have whole lines unless it is the last.
    package static func base64Lines(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(Int(length(ofBase64: Int64(bytes.count))))
        for start in stride(from: 0, to: bytes.count, by: bytesOfLine) {
            appendBase64(bytes[start..<min(start + bytesOfLine, bytes.count)], to: &text)
            text += [0x0D, 0x0A]
        }
        return text
    }

    static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        appendBase64(bytes[...], to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func appendBase64(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let count = min(3, bytes.endIndex - index)
            var word = UInt32(bytes[index]) << 16
            if count > 1 { word |= UInt32(bytes[index + 1]) << 8 }
            if count > 2 { word |= UInt32(bytes[index + 2]) }
            text.append(alphabet[Int(word >> 18)])
            text.append(alphabet[Int(word >> 12 & 63)])
            text.append(count > 1 ? alphabet[Int(word >> 6 & 63)] : UInt8(ascii: "="))
            text.append(count > 2 ? alphabet[Int(word & 63)] : UInt8(ascii: "="))
            index += count
        }
    }

    /// A text in quoted-printable. Its line ends become CR LF, and a last one is added; no line begins with a dot.
    static func quotedPrintable(_ text: String) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        let text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let bytes = Array(line.utf8)
            var width = 0
            for (place, byte) in bytes.enumerated() {
                let isLast = place == bytes.count - 1
                // A space at the end of a line is lost on the way, and a dot at its beginning is not one's own.
                let isPlain =
                    switch byte {
                    case UInt8(ascii: "="): false
                    case UInt8(ascii: "."): width > 0
                    case 0x20, 0x09: !isLast
                    default: 0x21...0x7E ~= byte
                    }
                let count = isPlain ? 1 : 3
                if width + count > (isLast ? 76 : 75) {
                    encoded += [UInt8(ascii: "="), 0x0D, 0x0A]
                    width = 0
                    // It begins a line now.
                    if byte == UInt8(ascii: ".") {
                        encoded += Array("=2E".utf8)
                        width = 3
                        continue
                    }
                }
                encoded += isPlain ? [byte] : [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                width += count
            }
            encoded += [0x0D, 0x0A]
        }
        return encoded
    }
}
