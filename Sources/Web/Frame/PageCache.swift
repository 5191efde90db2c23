package import Domain
internal import EventLoops
internal import HTTPServer
internal import Store
internal import System

/// The pages behind short links, each for a second: a page that thousands open at once is read and written once a second,
/// and nobody sees one that is older.
///
/// Only what was found is kept; an unknown code is asked for each time. While the database is away, the last page is given
/// out as it was for a minute more; after that nobody knows whether another process has made the photo private.
package final class PageCache: Sendable {
    /// A page is another one in each language.
    struct Key: Hashable {
        let code: ShortCode
        let language: Language
    }

    private struct Entry {
        let response: HTTPResponse
        let bytes: Int
        /// When the database was asked.
        let read: Moment
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var underWay: [Key: Making] = [:]
        var begun = 0

        func page(_ key: Key, within age: Duration, of now: Moment) -> HTTPResponse? {
            guard let entry = entries[key], now - entry.read < age else { return nil }
            return entry.response
        }

        mutating func remove(_ key: Key) { bytes -= entries.removeValue(forKey: key)?.bytes ?? 0 }
    }

    /// A page that is being made. Its number tells it from one that was begun after the code was forgotten.
    private struct Making {
        let number: Int
        let task: Task<HTTPResponse, any Error>
    }

    private let state = Lock(State())
    private let age: Duration
    private let longestAge: Duration
    private let limit: Int

    /// - Parameters:
    ///   - age: How long a response is given out after the database was asked for it.
    ///   - longestAge: The same while the database is away.
    ///   - limit: The bytes that are kept in all; beyond that everything is forgotten.
    package init(age: Duration = .seconds(1), longestAge: Duration = .seconds(60), limit: Int = 16 << 20) {
        self.age = age
        self.longestAge = longestAge
        self.limit = limit
    }

    /// The page of `key` as it was made less than `age` ago.
    func kept(_ key: Key) -> HTTPResponse? {
        let now = Moment.now
        return state.withLock { $0.page(key, within: age, of: now) }
    }

    /// The page of `key`, made by `make` if need be; two who ask at once get one page.
    func page(
        _ key: Key, _ make: @escaping @Sendable () async throws -> (response: HTTPResponse, bytes: Int)
    ) async throws -> HTTPResponse {
        let now = Moment.now
        enum Found {
            case page(HTTPResponse)
            case task(Task<HTTPResponse, any Error>)
        }
        let found = state.withLock { state -> Found in
            if let page = state.page(key, within: age, of: now) { return .page(page) }
            if let making = state.underWay[key] { return .task(making.task) }
            state.begun += 1
            let number = state.begun
            let task = Task(executorPreference: EventLoop.current) { [self] in
                do {
                    let made = try await make()
                    end(number, key, with: Entry(response: made.response, bytes: made.bytes, read: now))
                    return made.response
                } catch {
                    let isAway = error as? StoreError == .unavailable
                    guard let last = end(number, key, keepingLast: isAway), isAway else { throw error }
                    return last.response
                }
            }
            state.underWay[key] = Making(number: number, task: task)
            return .task(task)
        }
        switch found {
        case .page(let response): return response
        case .task(let task): return try await task.value
        }
    }

    /// Lets the next who asks see what has changed, such as the number of likes, or that it is gone. A page that is being made
    /// is not kept: it may have been read before the change.
    package func remove(_ code: ShortCode) {
        state.withLock { state in
            for language in Language.allCases {
                let key = Key(code: code, language: language)
                state.underWay[key] = nil
                state.remove(key)
            }
        }
    }

    private func end(_ number: Int, _ key: Key, with entry: Entry) {
        state.withLock { state in
            guard state.underWay[key]?.number == number else { return }
            state.underWay[key] = nil
            if state.bytes + entry.bytes > limit { (state.entries, state.bytes) = ([:], 0) }
            state.bytes += entry.bytes - (state.entries.updateValue(entry, forKey: key)?.bytes ?? 0)
        }
    }

    /// The page as it was last; a page that is gone is not given out again.
    private func end(_ number: Int, _ key: Key, keepingLast: Bool) -> Entry? {
        state.withLock { state in
            guard state.underWay[key]?.number == number else { return nil }
            state.underWay[key] = nil
            if !keepingLast { state.remove(key) }
            guard let entry = state.entries[key], Moment.now - entry.read <= longestAge else { return nil }
            return entry
        }
    }
}
