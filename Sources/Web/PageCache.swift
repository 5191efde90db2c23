internal import Domain
internal import EventLoops
internal import HTTPServer

/// The pages behind short links, each for a second: a page that thousands open at once is read and written once a second,
/// and nobody sees one that is older.
///
/// Only what was found is kept; an unknown code is asked for each time.
final class PageCache: Sendable {
    private struct Entry {
        let response: Response
        let bytes: Int
        /// When the database was asked.
        let read: Moment
    }

    private struct State {
        var entries: [ShortCode: Entry] = [:]
        var bytes = 0
        var underWay: [ShortCode: Task<Response, any Error>] = [:]
    }

    private let state = Lock(State())
    private let age: Duration
    private let limit: Int

    /// - Parameters:
    ///   - age: How long an answer is given out after the database was asked for it.
    ///   - limit: The bytes that are kept in all; beyond that everything is forgotten.
    init(age: Duration = .seconds(1), limit: Int = 16 << 20) {
        self.age = age
        self.limit = limit
    }

    /// The page of `code`, made by `make` if need be; two who ask at once get one page.
    func page(
        _ code: ShortCode, _ make: @escaping @Sendable () async throws -> (response: Response, bytes: Int)
    ) async throws -> Response {
        let now = Moment.now
        enum Found {
            case page(Response)
            case task(Task<Response, any Error>)
        }
        let found = state.withLock { state -> Found in
            if let entry = state.entries[code], now - entry.read < age { return .page(entry.response) }
            if let task = state.underWay[code] { return .task(task) }
            let task = Task(executorPreference: EventLoop.current) { [self] in
                do {
                    let made = try await make()
                    keep(Entry(response: made.response, bytes: made.bytes, read: now), as: code)
                    return made.response
                } catch {
                    self.state.withLock { $0.underWay[code] = nil }
                    throw error
                }
            }
            state.underWay[code] = task
            return .task(task)
        }
        switch found {
        case .page(let response): return response
        case .task(let task): return try await task.value
        }
    }

    private func keep(_ entry: Entry, as code: ShortCode) {
        state.withLock { state in
            state.underWay[code] = nil
            if state.bytes + entry.bytes > limit { (state.entries, state.bytes) = ([:], 0) }
            state.bytes += entry.bytes - (state.entries.updateValue(entry, forKey: code)?.bytes ?? 0)
        }
    }
}
