import Crypto
import FoundationEssentials
import Glibc
import Logging
import Settings

/// Where things lie in the data folder. Everything in it is its owner's alone.
struct DataFolder {
    let path: String
    /// For people: the name it was given, and where that is.
    let shown: String

    var blobs: String { "\(path)/blobs" }
    var copies: String { "\(path)/copies" }
    /// The private PostgreSQL's own, which appears when it is complete.
    var cluster: String { "\(path)/postgres" }
    var adminToken: String { "\(path)/admin-token" }
    var key: String { "\(path)/secret.key" }
    /// Tells commands where the running Pics listens.
    var runFile: String { "\(path)/serving" }

    /// The file of the sealing keys.
    func keyPath(_ configuration: Configuration) -> String { configuration[PicsSettings.secretKey]?.text ?? key }

    /// The folder that is named, which may be missing.
    init(_ configuration: Configuration) {
        let name = configuration[PicsSettings.dataDir].text
        let isAbsolute = name.hasPrefix("/")
        path = isAbsolute ? name : "\(FileManager.default.currentDirectoryPath)/\(name)"
        shown = isAbsolute ? name : "\(name) (\(path))"
    }

    /// Deletes copies that a killed process left; younger ones may be another process's.
    func removeOldCopies(logger: Logger) {
        do {
            let files = FileManager.default
            for name in try files.contentsOfDirectory(atPath: copies) {
                let made = try files.attributesOfItem(atPath: "\(copies)/\(name)")[.modificationDate] as? Date
                if let made, made.timeIntervalSinceNow < -Self.oldestCopy {
                    try files.removeItem(atPath: "\(copies)/\(name)")
                }
            }
        } catch {
            logger.warning("old copies not deleted", ["folder": copies])
        }
    }

    /// Twice as long as any attempt may take, in seconds.
    private static let oldestCopy: TimeInterval = 3600

    /// Writes the first admin's token where only the owner of the data folder reads it. The file appears when it is whole.
    func keepAdminToken(_ token: Secret<String>) throws {
        try write("\(token.reveal())\n", to: adminToken)
    }

    /// Writes a file of the folder for its owner alone, in one step for readers.
    func write(_ text: String, to path: String) throws(CommandFailure) {
        let unfinished = "\(path).new"
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(path, errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
            rename(unfinished, path) == 0
        else { throw unwritable(path, errno) }
    }

    private func unwritable(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure("\(path) cannot be written: \(String(cString: strerror(code))).")
    }
}
