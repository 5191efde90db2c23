package import Foundation

/// An empty folder, deleted with the object.
///
/// Its name is short, because the path of a UNIX socket has at most 107 bytes.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// - Parameter mode: 0711 lets PostgreSQL's user pass where the test runs as root, 0700 keeps it out.
    /// - Throws: `POSIXError`.
    package init(mode: mode_t = 0o711) throws {
        var template = Array("\(temporaryPlace)/pics-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        path = String(cString: made)
        guard chmod(path, mode) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Where tests make their folders: `TMPDIR`, else `/tmp`.
package let temporaryPlace = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
