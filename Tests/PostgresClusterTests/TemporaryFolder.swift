import Foundation

/// A folder of one test, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    /// - Parameter mode: 0711 lets the server's user pass, 0700 keeps it out when the test runs as root.
    init(mode: mode_t = 0o711) {
        var template = Array("/tmp/pics-cluster-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? ""
        chmod(path, mode)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
