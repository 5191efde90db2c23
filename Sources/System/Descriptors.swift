internal import Glibc

/// A file descriptor with one owner, closed exactly once.
package struct OwnedDescriptor: ~Copyable, Sendable {
    /// The number; lent, not given.
    package let number: Int32

    /// Takes over `number`, which is open.
    package init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    /// Reads from `offset` on without moving the descriptor's position (pread(2)).
    ///
    /// - Returns: `count` bytes, fewer at the end of the file; nil when the call failed, for the reason in `errno`.
    package func read(at offset: Int64, atMost count: Int) -> [UInt8]? {
        var hasFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let step = pread(
                    number, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + off_t(filled))
                if step == 0 { return }
                if step > 0 {
                    filled += step
                } else if errno != EINTR {
                    hasFailed = true
                    return
                }
            }
        }
        return hasFailed ? nil : bytes
    }

    /// Writes all of `bytes` (write(2)).
    ///
    /// - Returns: False when a call failed, for the reason in `errno`.
    package func write(_ bytes: ArraySlice<UInt8>) -> Bool { Self.write(bytes, to: number) }

    fileprivate static func write(_ bytes: ArraySlice<UInt8>, to number: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}

/// An open file that several owners share, closed when the last of them lets it go.
///
/// Readers do not disturb each other when each says its own offset (`pread`, `sendfile` with an offset).
package final class OpenFile: Sendable {
    private let owned: OwnedDescriptor

    /// Takes over `descriptor`, which is open.
    package init(owning descriptor: Int32) { owned = OwnedDescriptor(owning: descriptor) }

    /// Opens a file for reading; nil when that failed, for the reason in `errno`.
    package convenience init?(reading path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.init(owning: descriptor)
    }

    /// The number; lent, not given.
    package var descriptor: Int32 { owned.number }

    /// Reads from where the file stands to its end; a pipe has no other way (read(2)).
    ///
    /// - Returns: At most `count` bytes; nil when the call failed, for the reason in `errno`.
    package func readAll(atMost count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var block = [UInt8](repeating: 0, count: min(64 << 10, count - bytes.count))
            let step = Glibc.read(descriptor, &block, block.count)
            if step == 0 { return bytes }
            guard step > 0 || errno == EINTR else { return nil }
            bytes += block.prefix(max(0, step))
        }
        return bytes
    }

    /// Reads as `OwnedDescriptor.read` does.
    package func read(at offset: Int64, atMost count: Int) -> [UInt8]? { owned.read(at: offset, atMost: count) }

    /// Writes as `OwnedDescriptor.write` does.
    package func write(_ bytes: ArraySlice<UInt8>) -> Bool { owned.write(bytes) }
}

/// Writes to the standard error of this process, as far as anybody reads it.
package func writeToStandardError(_ text: String) {
    _ = OwnedDescriptor.write(Array(text.utf8)[...], to: STDERR_FILENO)
}
