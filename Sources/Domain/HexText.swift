import Foundation

/// Two small hexadecimal digits for each byte, with a dash before the bytes at `dashes`.
func hexText(_ bytes: UnsafeRawBufferPointer, dashes: [Int] = []) -> String {
    let length = 2 * bytes.count + dashes.count
    return String(unsafeUninitializedCapacity: length) { text in
        var end = 0
        for (index, byte) in bytes.enumerated() {
            if dashes.contains(index) {
                text[end] = UInt8(ascii: "-")
                end += 1
            }
            text[end] = digit(byte >> 4)
            text[end + 1] = digit(byte & 15)
            end += 2
        }
        return end
    }
}

private func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
}

/// Reads the 36 characters of RFC 9562, section 4, either case.
func readUUID(_ text: String) -> UUID? {
    guard text.utf8.count == 36 else { return nil }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    let isRead = withUnsafeMutableBytes(of: &bytes) { bytes in
        var count = 0
        for (place, byte) in text.utf8.enumerated() {
            if [8, 13, 18, 23].contains(place) {
                guard byte == UInt8(ascii: "-") else { return false }
                continue
            }
            guard let nibble = nibble(byte) else { return false }
            bytes[count / 2] = bytes[count / 2] << 4 | nibble
            count += 1
        }
        return true
    }
    return isRead ? UUID(uuid: bytes) : nil
}

private func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}
