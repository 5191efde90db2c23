import Foundation
import Testing

/// The sanitizers bring an allocator of their own, which nobody traces.
@Suite(.disabled(if: isSanitized))
struct AllocationTests {
    @Test(.timeLimit(.minutes(1)), arguments: [1, 30])
    func `a request without a body allocates four times, however many fields it has`(fields: Int) throws {
        let counts = try allocations(fields: fields)

        // Optimized it is half of that: the head's bytes and the exchange.
        #expect(try #require(counts["/livez"]).rounded() <= 4)
        #expect(try #require(counts["/task"]).rounded() <= 10)
    }

    /// What `pics-bench` has counted for each path.
    private func allocations(fields: Int) throws -> [String: Double] {
        let program = URL(filePath: PicsProcess.program).deletingLastPathComponent().appending(path: "pics-bench")
        let output = Pipe()
        let process = Process()
        process.executableURL = program
        process.arguments = ["allocations", "--fields", String(fields)]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        // `/livez with 4 fields: 2.0 allocations a request`
        return text.split(separator: "\n").reduce(into: [:]) { counts, line in
            let words = line.split(separator: " ")
            guard words.count > 4, words[5] == "allocations" else { return }
            counts[String(words[0])] = Double(words[4])
        }
    }
}
