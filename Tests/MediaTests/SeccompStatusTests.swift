import TestTools
import Testing

@testable import Media

struct SeccompStatusTests {
    @Test(arguments: [
        (["Name:\tpics-media\n", "Seccomp:\t2\n", "Seccomp_filters:\t1\n"], 0, true),
        (["Seccomp:\t2\n", "Seccomp_filters:\t1\n"], 1, false),
        (["Seccomp:\t2\n", "Seccomp_filters:\t2\n"], 1, true),
        (["Seccomp:\t0\n", "Seccomp_filters:\t0\n"], 0, false), (["Seccomp:\t2\n"], 0, true),
        (["Name:\tpics-media\n"], 0, false),
    ])
    func `a filter that a container had before is not the process's own`(
        lines: [String], inherited: Int, isStricter: Bool
    ) {
        let parent = SeccompStatus(lines: ["Seccomp:\t\(inherited == 0 ? 0 : 2)", "Seccomp_filters:\t\(inherited)"])

        #expect(SeccompStatus(lines: lines).isStricter(than: parent) == isStricter)
    }

    @Test(.disabled(if: isSanitized, "a sanitizer looks at its process by calls that the filter forbids"))
    func `a pool tells whether its processes are filtered before it has opened any picture`() async throws {
        try await withWorkbench { bench in
            let isFiltered = try await bench.pool.isFiltered()

            #expect(isFiltered)
            #expect(bench.pool.processes.count == 1)
        }
    }

    @Test func `a pool whose program is missing says so`() async throws {
        try await withWorkbench(program: "/nowhere/pics-media") { bench in
            await #expect(throws: MediaError.self) { _ = try await bench.pool.isFiltered() }
        }
    }
}
