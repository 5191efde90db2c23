internal import Crypto
import FoundationEssentials

/// The 36 characters of RFC 9562, section 4, in small letters.
func uuidText(_ uuid: UUID) -> String {
    withUnsafeBytes(of: uuid.uuid) { bytes in
        String(unsafeUninitializedCapacity: 36) { text in
            var end = 0
            for (index, byte) in bytes.enumerated() {
                if [4, 6, 8, 10].contains(index) {
                    text[end] = UInt8(ascii: "-")
                    end += 1
                }
                text[end] = Hex.digit(byte >> 4)
                text[end + 1] = Hex.digit(byte & 15)
                end += 2
            }
            return end
        }
    }
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
            guard let nibble = Hex.nibble(byte) else { return false }
            bytes[count / 2] = bytes[count / 2] << 4 | nibble
            count += 1
        }
        return true
    }
    return isRead ? UUID(uuid: bytes) : nil
}
