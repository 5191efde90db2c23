internal import CQRencode
internal import Glibc

/// A text as a square of dark and light modules (ISO/IEC 18004), without the light margin that has to be around it.
///
/// The corresponding C functions are `QRcode_encodeString8bit` and `QRcode_free`.
package struct QRCode: Sendable {
    /// Modules in a row.
    package let side: Int
    private let modules: [UInt8]

    /// The smallest code for a text, of which 15 % may be unreadable. Nil for an empty text, one with a zero byte, and one
    /// of more than 2,331 bytes.
    package init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(0), let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else {
            return nil
        }
        defer { QRcode_free(code) }
        side = Int(code.pointee.width)
        modules = Array(UnsafeBufferPointer(start: code.pointee.data, count: side * side))
    }

    /// Whether a module is dark; both count from 0.
    package subscript(x: Int, y: Int) -> Bool {
        // qrencode.h: bit 0 tells dark from light, the others what the module is for.
        modules[y * side + x] & 1 == 1
    }
}
