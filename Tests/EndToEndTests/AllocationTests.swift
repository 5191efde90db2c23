import Foundation
import TestTools
import Testing

/// The sanitizers bring an allocator of their own, which nobody traces.
@Suite(.disabled(if: isSanitized))
struct AllocationTests {
    @Test(.timeLimit(.minutes(10)), arguments: [1, 30])
    func `a request without a body allocates equally often, however many fields it has`(fields: Int) async throws {
        let counts = try await allocations(fields: fields)

        // An optimized program allocates two, the head's bytes and the exchange, and seven from a task. Without optimization the
        // values that the connection's states hand on are boxed.
        #expect(try #require(counts["/livez"]).rounded() <= 26)
        #expect(try #require(counts["/task"]).rounded() <= 42)
    }

    /// The allocations that `pics-bench` has counted for each path.
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
