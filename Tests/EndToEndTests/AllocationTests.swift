import Foundation
import Testing

/// The sanitizers bring an allocator of their own, which nobody traces.
@Suite(.disabled(if: isSanitized))
struct AllocationTests {
    @Test(.timeLimit(.minutes(5)), arguments: [1, 30])
    func `a request without a body allocates four times, however many fields it has`(fields: Int) async throws {
        let counts = try await allocations(fields: fields)

        // Optimized it is half of that, the head's bytes and the exchange; and seven from a task.
        #expect(try #require(counts["/livez"]).rounded() <= 4)
        #expect(try #require(counts["/task"]).rounded() <= 11)
    }

    /// What `pics-bench` has counted for each path.
    private func allocations(fields: Int) async throws -> [String: Double] {
        let (status, output) = try await MeasuringProgram.run("allocations", "--fields", String(fields))
        #expect(status == 0, "\(output)")
        // `/livez with 4 fields: 2.0 allocations a request`
        return output.split(separator: "\n").reduce(into: [:]) { counts, line in
            let words = line.split(separator: " ")
            guard words.count > 4, words[5] == "allocations" else { return }
            counts[String(words[0])] = Double(words[4])
        }
    }
}
