import Foundation
import TestSupport

/// A run of `pics-bench`, which lies beside the program under test.
enum MeasuringProgram {
    /// Its exit status, and all that it has written. The output is read while it runs: a full pipe would hold it up.
    static func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: PicsProcess.program).deletingLastPathComponent()
            .appending(path: "pics-bench")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        let pieces = pipe.pieces()
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        let output = await pieces.reduce(into: Data()) { $0 += $1 }
        for await _ in ended {}
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
