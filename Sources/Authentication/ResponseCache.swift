internal import Crypto
package import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
package import Store
internal import Synchronization

/// Responses that are sent again to the same request while nothing in the database has changed.
///
/// A response is kept with the snapshot that the database had before its handler read anything. When the snapshot is still the same at the next
/// request, the handler would read the same again, rights and likes included. One short statement for all who ask at once tells that. Any
/// transaction that changes something, whatever it is, ends the life of all responses, so this is for what is asked again and again; where it
/// does not help, it is not tried for a while.
///
/// The time of day is not in the snapshot, so a response lives for five seconds at most. Handlers that read a replica, or change something,
/// are not for it.
package final class ResponseCache: Sendable {
    /// A response that may be sent again, before its sender's limits are told in it.
    package struct Kept: Sendable {
        package let response: HTTPResponse
        package let caller: Caller
        fileprivate let snapshot: DatabaseSnapshot
    }

    /// The key, snapshot and time under which the response to a request may be kept.
    package struct Place: Sendable {
        fileprivate let key: SHA256Digest
        /// Nil for a request that was not made lately: only that it was made is kept.
        fileprivate let snapshot: DatabaseSnapshot?
        fileprivate let askedAt: Moment
    }

    /// The result of looking for a response.
    package enum Found: Sendable {
        case response(Kept)
        /// No response that is still right.
        case place(Place)
        /// No response, and none is to be kept: there is no token, or kept responses were wrong too often lately.
        case nothing
    }

    private let state = Mutex(State())
    private let snapshot: @Sendable () async throws -> DatabaseSnapshot

    static let maximumAge = Duration.seconds(5)
    /// Of one response.
    private static let maximumBytes = 1 << 18

    /// Takes how the snapshot of the moment is asked for.
    package init(snapshot: @escaping @Sendable () async throws -> DatabaseSnapshot) { self.snapshot = snapshot }

    /// Looks for the response to a request.
    ///
    /// - Throws: `AuthenticationError.malformed`; `StoreError` when the database cannot be asked.
    package func look(for request: HTTPRequest) async throws -> Found {
        let now = request.receivedAt
        guard isUseful(at: now), try TokenAuthentication.token(of: request) != nil else {
            return .nothing
        }
        return try await look(for: Self.key(of: request), at: now)
    }

    /// Whether responses that are kept have been right lately, or have not been tried.
    func isUseful(at now: Moment) -> Bool { state.withLock { $0.isUseful(at: now) } }

    /// Looks for the response to a request that has arrived at this moment, by its key.
    func look(for key: SHA256Digest, at now: Moment) async throws -> Found {
        guard let known = state.withLock({ $0.known(key, at: now) }) else {
            return .place(Place(key: key, snapshot: nil, askedAt: now))
        }
        let snapshot = try await snapshot()
        if let kept = known.kept, kept.caller.expiresAt.map({ $0 > Date() }) ?? true {
            let isRight = kept.snapshot == snapshot
            state.withLock { $0.count(isRight) }
            if isRight { return .response(kept) }
        }
        return .place(Place(key: key, snapshot: snapshot, askedAt: now))
    }

    /// Keeps a response that was made, for somebody who was let in, after its place was found.
    package func keep(_ response: HTTPResponse, for caller: Caller, at place: Place) {
        guard response.status == .ok || response.status == .notModified else { return }
        var size = response.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        switch response.body {
        case .empty: break
        case .bytes(let bytes): size += bytes.count
        default: return
        }
        guard size <= Self.maximumBytes else { return }
        let kept = place.snapshot.map { Kept(response: response.keepingGzip(), caller: caller, snapshot: $0) }
        state.withLock {
            // As it is and in gzip.
            $0.add(Known(kept: kept, bytes: kept == nil ? 0 : 2 * size, askedAt: place.askedAt), for: place.key)
        }
    }

    /// The digest of method, target and those fields of a request that handlers of such routes read; it keeps tokens out of memory.
    private static func key(of request: HTTPRequest) -> SHA256Digest {
        let fields = request.fields
        var text = "\(request.method.rawValue) \(request.rawTarget)"
        for name in ["Authorization", "If-None-Match", "If-Match", "Accept", "Accept-Encoding", "Accept-Language"] {
            text += "\n"
            if let value = fields[name] { text += value }
        }
        return SHA256Digest(of: text)
    }

    /// A request that was made lately.
    private struct Known {
        /// Nil: made once.
        let kept: Kept?
        let bytes: Int
        let askedAt: Moment
    }

    /// Two generations of requests: when the younger one is full, the older one is forgotten.
    private struct State {
        private var young: [SHA256Digest: Known] = [:]
        private var old: [SHA256Digest: Known] = [:]
        private var bytes = 0
        private static let bytesOfGeneration = 8 << 20
        private static let bytesOfEntry = 1024

        /// Kept responses that were right, and that were not, in the second that began at `secondStart`.
        private var (right, wrong) = (0, 0)
        private var secondStart = Moment(nanoseconds: .min / 2)
        /// So many may be wrong without any use.
        private static let mostWrong = 64

        func known(_ key: SHA256Digest, at now: Moment) -> Known? {
            guard let known = young[key] ?? old[key], now - known.askedAt < maximumAge else { return nil }
            return known
        }

        /// A look costs a round trip: one in four has to save a handler's.
        mutating func isUseful(at now: Moment) -> Bool {
            if now - secondStart >= .seconds(1) { (secondStart, right, wrong) = (now, 0, 0) }
            return wrong < Self.mostWrong || right * 3 >= wrong
        }

        mutating func count(_ isRight: Bool) { if isRight { right += 1 } else { wrong += 1 } }

        mutating func add(_ known: Known, for key: SHA256Digest) {
            let added = Self.bytesOfEntry + known.bytes
            if bytes + added > Self.bytesOfGeneration { (old, young, bytes) = (young, [:], 0) }
            bytes += added - (young.updateValue(known, forKey: key).map { Self.bytesOfEntry + $0.bytes } ?? 0)
        }
    }
}
