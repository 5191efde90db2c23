internal import System
internal import Testing

/// The claim of one test case; it counts once the case has ended without an issue.
final class Evidence: Sendable {
    @TaskLocal static var current: Evidence?

    private struct State {
        var claims: [Run.Cell] = []
        var hasFailed = false
    }

    private let state = Lock(State())

    func add(_ cell: Run.Cell) { state.withLock { $0.claims.append(cell) } }

    /// Takes note of an issue, which goes on as it is.
    static let sees: @Sendable (Issue) -> Issue? = { issue in
        current?.fail()
        return issue
    }

    func fail() { state.withLock { $0.hasFailed = true } }

    /// Writes down what the case came to; `hasThrown` when it was left by an error.
    func settle(hasThrown: Bool) {
        let (claims, hasFailed) = state.withLock { ($0.claims, $0.hasFailed) }
        for cell in claims { Run.shared.note(cell, holds: !hasFailed && !hasThrown) }
    }
}

extension Subject {
    /// Claims that the test that is running shows this of the service.
    func shows(_ showing: Showing) {
        Evidence.current?.add(Run.Cell(service: service, showing: showing))
    }
}

/// The results of a run of the suite.
final class Run: Sendable {
    struct Cell: Hashable, Sendable {
        let service: String
        let showing: Showing
    }

    static let shared = Run()

    private let cells = Lock<[Cell: Bool]>([:])

    /// One case that fails takes the whole cell away.
    func note(_ cell: Cell, holds: Bool) {
        cells.withLock { $0[cell] = ($0[cell] ?? true) && holds }
    }

    /// Everything that was tried, and whether it holds.
    var noted: [Cell: Bool] { cells.withLock { $0 } }
}

/// Keeps the books of a suite: each test case for itself, and at the end the table of all.
struct Recorded: SuiteTrait, TestTrait, TestScoping {
    private static let suite = "\(ConformanceTests.self)"

    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Recorded? {
        test.isSuite || testCase != nil ? self : nil
    }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else {
            try await function()
            // Of the suites alone the one that holds the others has seen all.
            if test.name == Self.suite { try ServicesTable(Run.shared.noted).settle() }
            return
        }
        let evidence = Evidence()
        do {
            try await Evidence.$current.withValue(evidence) { try await function() }
            evidence.settle(hasThrown: false)
        } catch {
            evidence.settle(hasThrown: true)
            throw error
        }
    }
}

extension Trait where Self == Recorded {
    /// Writes down what the tests of the suite show.
    static var recorded: Recorded { Recorded() }
}
