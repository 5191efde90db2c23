internal import Domain
internal import EventLoops
internal import HTTPServer
internal import Store

/// The pages behind short links, each for a second: a page that thousands open at once is read and written once a second,
/// and nobody sees one that is older.
///
/// Only what was found is kept; an unknown code is asked for each time. While the database is away, the last page is given
/// out as it was.
final class PageCache: Sendable {
    /// A page is another one in each language.
    struct Key: Hashable {
        let code: ShortCode
        let language: Language
    }

    private struct Entry {
        let response: Response
        let bytes: Int
        /// When the database was asked.
        let read: Moment
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var underWay: [Key: Task<Response, any Error>] = [:]
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

    /// The page of `key`, made by `make` if need be; two who ask at once get one page.
    func page(
        _ key: Key, _ make: @escaping @Sendable () async throws -> (response: Response, bytes: Int)
    ) async throws -> Response {
        let now = Moment.now
        enum Found {
            case page(Response)
            case task(Task<Response, any Error>)
        }
        let found = state.withLock { state -> Found in
            if let entry = state.entries[key], now - entry.read < age { return .page(entry.response) }
            if let task = state.underWay[key] { return .task(task) }
            let task = Task(executorPreference: EventLoop.current) { [self] in
                do {
                    let made = try await make()
                    keep(Entry(response: made.response, bytes: made.bytes, read: now), as: key)
                    return made.response
                } catch {
                    let last = self.state.withLock { state in
                        state.underWay[key] = nil
                        return state.entries[key]
                    }
                    guard let last, error as? StoreError == .unavailable else { throw error }
                    return last.response
                }
            }
            state.underWay[key] = task
            return .task(task)
        }
        switch found {
        case .page(let response): return response
        case .task(let task): return try await task.value
        }
    }

    /// Lets the next who asks see what has changed, such as the number of likes.
    func forget(_ code: ShortCode) {
        state.withLock { state in
            for language in Language.allCases {
                guard let entry = state.entries.removeValue(forKey: Key(code: code, language: language)) else {
                    continue
                }
                state.bytes -= entry.bytes
            }
        }
    }

    private func keep(_ entry: Entry, as key: Key) {
        state.withLock { state in
            state.underWay[key] = nil
            if state.bytes + entry.bytes > limit { (state.entries, state.bytes) = ([:], 0) }
            state.bytes += entry.bytes - (state.entries.updateValue(entry, forKey: key)?.bytes ?? 0)
        }
    }
}
