import Foundation
import TestTools

/// A run of `pics-bench`, which lies beside the program under test.
enum MeasuringProgram {
    /// Its exit status, and all that it has written. It writes to a file: the end of a pipe is not seen while a program that another
    /// test has started meanwhile holds it open.
    static func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
        try await withFolder { folder in
            let path = "\(folder)/output"
            guard FileManager.default.createFile(atPath: path, contents: nil) else {
                throw PicsProcess.Failure(description: "\(path) cannot be written")
            }
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            defer { try? file.close() }
            let process = Process()
            process.executableURL = URL(filePath: builtProgram("pics-bench"))
            process.arguments = arguments
            process.standardOutput = file
            process.standardError = file
            let (ended, end) = AsyncStream.makeStream(of: Void.self)
            process.terminationHandler = { _ in end.finish() }
            try process.run()
            for await _ in ended {}
            return (process.terminationStatus, try String(contentsOfFile: path, encoding: .utf8))
        }
    }
}
