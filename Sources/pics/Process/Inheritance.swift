import FoundationEssentials
import Glibc
import Settings

/// The open descriptors that this process was started with: listening sockets from systemd or from a predecessor, and
/// what else a predecessor leaves.
struct Inheritance {
    /// Listening sockets by the setting that would open them, such as `listen`.
    private(set) var sockets: [String: [Int32]] = [:]
    /// Descriptors that keep the predecessor's private PostgreSQL running.
    private(set) var cluster: [Int32] = []
    /// Where the predecessor waits for a byte that says that this process serves.
    private(set) var readiness: Int32?

    /// Read once, before the settings: the variables must not be taken for settings, nor reach children.
    static let current = Inheritance(ProcessInfo.processInfo.environment)

    static let variable = "PICS_INHERITANCE"

    private init(_ environment: [String: String]) {
        if let text = environment[Self.variable] {
            readPredecessor(text)
        } else if environment["LISTEN_PID"] == String(getpid()) {
            readServiceManager(environment)
        }
        for name in [Self.variable, "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    }

    /// `listen=5,6 cluster=7,8 readiness=9`, as `Successor` writes it.
    private mutating func readPredecessor(_ text: String) {
        for part in text.split(separator: " ") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let numbers = pair[1].split(separator: ",").compactMap { Int32($0) }.filter(Self.isOpen)
            switch pair[0] {
            case "cluster": cluster = numbers
            case "readiness": readiness = numbers.first
            default: sockets[String(pair[0])] = numbers
            }
        }
    }

    /// Descriptors from 3 on, with their names (sd_listen_fds(3)); one that no setting has is for `listen`.
    private mutating func readServiceManager(_ environment: [String: String]) {
        let count = environment["LISTEN_FDS"].flatMap { Int32($0) } ?? 0
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        for index in 0..<max(0, min(count, 1000)) where Self.isOpen(3 + index) {
            let name = Int(index) < names.count ? String(names[Int(index)]) : ""
            let setting = name == PicsSettings.listenTLS.name ? name : PicsSettings.listen.name
            sockets[setting, default: []].append(3 + index)
        }
    }

    private static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    /// Tells the predecessor that this process serves.
    func reportReadiness() {
        guard let readiness else { return }
        var byte: UInt8 = 1
        _ = write(readiness, &byte, 1)
        close(readiness)
    }
}
