import Actions
import Crypto
import Settings

/// `pics rotate-key`: a new sealing key, and everything sealed anew with it.
enum RotateKeyCommand: Command {
    static let name = "rotate-key"
    static let summary = "Seals all credentials with a new key."
    static let help = """
        pics rotate-key                 adds a new key to the key file and seals everything with it
        pics rotate-key --forget-old    removes old keys from the file once nothing is sealed with them

        Pics can keep running: processes read the new key by themselves. After an interruption the next call continues, with
        the same key. Copy the new key file to other machines with the same database first. Keep the old keys as long as you
        keep older backups of the database.
        """
    static let flags: Set<String> = ["forget-old"]

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        let path = DataFolder(configuration).keyPath(configuration)
        return try await Runtime.with(configuration, name: "pics rotate-key", for: .credentials) { runtime in
            let rotation = KeyRotation(store: runtime.store, keys: runtime.keys)
            let isPending = try await rotation.isPending()
            if isPending {
                Terminal.say("going on with a rotation that was interrupted")
            } else if !arguments.flags.contains("forget-old") {
                try KeyFile.addKey(path)
                Terminal.say("added \(runtime.keys.current) to \(path)")
            }
            let report = try await rotation.run()
            Terminal.say("sealed \(report.sealed) secrets anew")
            for place in report.unreadable { Terminal.complain("No key opens the secret of \(place).".printable) }
            guard report.unreadable.isEmpty, try await !rotation.isPending() else {
                Terminal.complain("The old keys stay. Call this again, or connect the accounts that are named again.")
                return 1
            }
            if arguments.flags.contains("forget-old") {
                try KeyFile.deleteFormerKeys(path)
                Terminal.say("forgot the old keys in \(path)")
            } else {
                Terminal.say("nothing needs the old keys any more; `pics rotate-key --forget-old` takes them out")
            }
            return 0
        }
    }
}
