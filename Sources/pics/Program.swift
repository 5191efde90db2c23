import Foundation

/// The running program.
enum Program {
    /// Its file, links resolved.
    static let path: String = {
        let link = "/proc/self/exe"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? CommandLine.arguments[0]
    }()
}
