internal import Crypto
internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
internal import HTTPServer
internal import Store
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
final class ResponseCache: Sendable {
    /// A response that may be sent again, before its sender's limits are told in it.
    struct Kept: Sendable {
        let response: HTTPResponse
        let caller: Caller
        fileprivate let snapshot: DatabaseSnapshot
        fileprivate let madeAt: Moment
    }

    /// Where the response to a request may be kept.
    struct Place: Sendable {
        fileprivate let key: SHA256Digest
        fileprivate let snapshot: DatabaseSnapshot
        fileprivate let at: Moment
    }

    /// What a look finds.
    enum Found: Sendable {
        case response(Kept)
        /// Nothing that is still right; a new response may be kept here.
        case place(Place)
        /// Asked for the first time, or not worth a look.
        case nothing
    }

    private let state = Mutex(State())
    private let snapshot: @Sendable () async throws -> DatabaseSnapshot

    static let maximumAge = Duration.seconds(5)
    /// Of one response.
    private static let maximumBytes = 1 << 18

    /// Takes how the snapshot of the moment is asked for.
    init(snapshot: @escaping @Sendable () async throws -> DatabaseSnapshot) { self.snapshot = snapshot }

    /// Looks for the response to a request.
    ///
    /// - Throws: When the database cannot be asked.
    func look(for request: HTTPRequest) async throws -> Found {
        try await look(for: Self.key(of: request), at: request.receivedAt)
    }

    /// The same for the key of a request that has arrived at this moment.
    func look(for key: SHA256Digest, at now: Moment) async throws -> Found {
        guard let known = state.withLock({ $0.look(for: key, at: now) }) else { return .nothing }
        let snapshot = try await snapshot()
        if let kept = known.kept, now - kept.madeAt < Self.maximumAge,
            kept.caller.expiresAt.map({ $0 > Date() }) ?? true
        {
            let isRight = kept.snapshot == snapshot
            state.withLock { $0.count(isRight) }
            if isRight { return .response(kept) }
        }
        return .place(Place(key: key, snapshot: snapshot, at: now))
    }

    /// Keeps a response that was made after its place was found.
    func keep(_ response: HTTPResponse, for caller: Caller, at place: Place) {
        guard response.status == .ok || response.status == .notModified else { return }
        let size: Int
        switch response.body {
        case .empty: size = 0
        case .bytes(let bytes): size = bytes.count
        default: return
        }
        guard size <= Self.maximumBytes else { return }
        let kept = Kept(response: response, caller: caller, snapshot: place.snapshot, madeAt: place.at)
        state.withLock { $0.keep(kept, bytes: size, for: place.key) }
    }

    /// Whatever of a request handlers of such routes look at. The digest keeps tokens out of memory.
    private static func key(of request: HTTPRequest) -> SHA256Digest {
        let fields = request.fields
        var text = "\(request.method.rawValue) \(request.rawTarget)"
        for name in ["Authorization", "If-None-Match", "Accept", "Accept-Language"] {
            text += "\n"
            if let value = fields[name] { text += value }
        }
        return SHA256Digest(of: text)
    }

    /// Two generations of responses: when the younger one is full, the older one is forgotten.
    private struct State {
        struct Known {
            /// Nil: asked for once.
            let kept: Kept?
            let bytes: Int
        }

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

        mutating func look(for key: SHA256Digest, at now: Moment) -> Known? {
            if now - secondStart >= .seconds(1) { (secondStart, right, wrong) = (now, 0, 0) }
            guard let known = young[key] ?? old[key] else {
                add(Known(kept: nil, bytes: Self.bytesOfEntry), for: key)
                return nil
            }
            // A look costs a round trip: one in four has to save a handler's.
            return wrong < Self.mostWrong || right * 3 >= wrong ? known : nil
        }

        mutating func count(_ isRight: Bool) { if isRight { right += 1 } else { wrong += 1 } }

        mutating func keep(_ kept: Kept, bytes: Int, for key: SHA256Digest) {
            add(Known(kept: kept, bytes: Self.bytesOfEntry + bytes), for: key)
        }

        private mutating func add(_ known: Known, for key: SHA256Digest) {
            if bytes + known.bytes > Self.bytesOfGeneration { (old, young, bytes) = (young, [:], 0) }
            bytes += known.bytes - (young.updateValue(known, forKey: key)?.bytes ?? 0)
        }
    }
}
