internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Submitters
internal import System

/// A service of the harness, with a list of the posts it has published.
enum ServiceMemory: String, CaseIterable, Sendable {
    /// The same key gives the same post.
    case idempotent
    /// Posts can be looked for.
    case searchable
    /// The account's posts can be listed, newest first; five pages of them are looked through.
    case listed
    /// Nothing.
    case blind
}

/// Publishes by HTTP on the harness's service in three steps (upload, publish, receipt), and kills its own process at one of
/// the points between them, now and then.
struct CrashSubmitter: Submitter {
    let memory: ServiceMemory
    let base: String
    let dice: KillSchedule
    let description: ServiceDescription

    init(_ memory: ServiceMemory, base: String, dice: KillSchedule) {
        self.memory = memory
        self.base = base
        self.dice = dice
        description = ServiceDescription(
            id: memory.rawValue, name: memory.rawValue, credentialFields: [], captionRule: .unlimited,
            mediaRule: MediaRule(copy: .tagged, pictureTypes: [], maximumPictureBytes: .max),
            lane: LanePolicy(concurrency: memory == .idempotent ? 2 : 1), takesAltText: false)
    }

    func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        throw .rejected(SubmissionProblem(.other("Nobody connects here.")))
    }

    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        dice.mayDie()
        if await task.journal.value("upload") == nil {
            try await ask(.put, "/upload?key=\(task.outboundKey)", task)
            dice.mayDie()
            try await task.journal.record("upload", 1)
        }
        dice.mayDie()
        if memory == .listed {
            // A look goes back to what was newest before the request.
            try await task.journal.record(Self.newestKey, .string(try await page(before: "", task).first ?? ""))
        }
        try await task.journal.arm()
        dice.mayDie()
        let account = task.account.connection
        try await ask(.post, "/publish/\(memory.rawValue)?key=\(task.outboundKey)&account=\(account)", task)
        dice.mayDie()
        try await task.journal.record("published", 1)
        dice.mayDie()
        return Receipt(remoteID: task.outboundKey, url: nil)
    }

    func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        dice.mayDie()
        switch memory {
        case .idempotent: return .repeatable
        case .blind: return .cannotTell
        case .searchable:
            let response = try await ask(.get, "/search?key=\(task.outboundKey)", task)
            return response == "1" ? .found(Receipt(remoteID: task.outboundKey, url: nil)) : .absent
        case .listed:
            let newest = await task.journal.value(Self.newestKey)?.string ?? ""
            var oldest = ""
            for _ in 0..<5 {
                let page = try await page(before: oldest, task)
                if page.contains(task.outboundKey) { return .found(Receipt(remoteID: task.outboundKey, url: nil)) }
                guard let last = page.last, !page.contains(newest) else { return .absent }
                oldest = last
            }
            return .cannotTell
        }
    }

    private static let newestKey = "newest"

    /// Up to forty of the account's posts, newest first.
    private func page(before key: String, _ task: SubmissionTask) async throws(SubmissionError) -> [String] {
        let response = try await ask(.get, "/list?account=\(task.account.connection)&before=\(key)", task)
        return response.split(separator: " ").map(String.init)
    }

    @discardableResult
    private func ask(
        _ method: HTTPMethod, _ path: String, _ task: SubmissionTask
    ) async throws(SubmissionError) -> String {
        let request = OutgoingRequest(
            method: method, url: base + path, fields: [:], body: method == .get ? .none : .bytes([]),
            addressPolicy: .any)
        let response: IncomingResponse
        do throws(TransportError) { response = try await task.transport.send(request) } catch {
            let problem = SubmissionProblem(.other("It broke."), detail: "\(error)", isUnreachable: true)
            if case .notSent = error { throw .temporary(problem, retryAfter: nil) }
            throw method == .post
                ? .unknownOutcome(problem, retryAfter: nil) : .temporary(problem, retryAfter: nil)
        }
        guard response.status == .ok else {
            // Nobody knows what a service has done that says no more than that it has trouble.
            let problem = SubmissionProblem(.other("No."), status: response.status.code)
            throw method == .post
                ? .unknownOutcome(problem, retryAfter: nil) : .temporary(problem, retryAfter: nil)
        }
        return String(decoding: response.body, as: UTF8.self)
    }
}

/// Decides when a process dies: by a seed, so that a run can be repeated about the same.
final class KillSchedule: Sendable {
    private let state: Lock<UInt64>
    private let perMille: UInt64

    init(seed: UInt64, perMille: UInt64) {
        state = Lock(seed &+ 0x9E37_79B9_7F4A_7C15)
        self.perMille = perMille
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    func mayDie() {
        if next() % 1000 < perMille { kill(getpid(), SIGKILL) }
    }
}

/// The harness's service: writes down every effect, and cuts its network now and then, before it has acted or after.
final class EffectService: Sendable {
    private struct State {
        var effects: [String: Int] = [:]
        /// The posts of each account, oldest first.
        var posts: [String: [String]] = [:]
        var cuts = 0
    }

    private let state = Lock(State())
    private let dice: KillSchedule
    private let cutsPerMille: UInt64
    private let isCalm = Lock(false)

    init(dice: KillSchedule, cutsPerMille: UInt64) {
        self.dice = dice
        self.cutsPerMille = cutsPerMille
    }

    /// How often each key had an effect.
    var effects: [String: Int] { state.withLock { $0.effects } }
    var cuts: Int { state.withLock { $0.cuts } }
    /// The keys that each account has posted, oldest first.
    var posts: [String: [String]] { state.withLock { $0.posts } }

    /// From now on the network holds.
    func calm() { isCalm.withLock { $0 = true } }

    func start(on loop: EventLoop) async throws -> (server: Server, url: String) {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.accessLog = false
        configuration.limits.requestsPerConnection = .max
        let routes = [
            Route(.put, "/upload", operation: .init("upload", "Takes a file.", responses: [])) { _ in .text("1") },
            Route(.get, "/search", operation: .init("search", "Looks.", responses: [])) { [self] request in
                cut() ?? .text(effects[request.query["key"] ?? ""] == nil ? "0" : "1")
            },
            Route(.get, "/list", operation: .init("list", "Lists.", responses: [])) { [self] request in
                let page = page(of: request.query["account"] ?? "", before: request.query["before"] ?? "")
                return cut() ?? .text(page.joined(separator: " "))
            },
            Route(.post, "/publish/{memory}", operation: .init("publish", "Acts.", responses: []), handler: publish),
        ]
        let server = Server(
            configuration: configuration, loops: [loop], router: try Router(routes),
            logger: Logger(threshold: .error), problem: Server.unknownProblem)
        let addresses = try await server.start()
        return (server, "http://127.0.0.1:\(addresses[0].port ?? 0)")
    }

    private func publish(_ request: HTTPRequest) async throws -> HTTPResponse {
        if let cut = cut() { return cut }
        let key = request.query["key"] ?? ""
        let knows = request.parameters["memory"] == ServiceMemory.idempotent.rawValue
        state.withLock { state in
            if knows, state.effects[key] != nil { return }
            state.effects[key, default: 0] += 1
            state.posts[request.query["account"] ?? "", default: []].append(key)
        }
        return cut() ?? .text("1")
    }

    private func page(of account: String, before key: String) -> [String] {
        let posts = state.withLock { $0.posts[account] ?? [] }
        let end = posts.lastIndex(of: key) ?? posts.endIndex
        return posts[..<end].suffix(40).reversed()
    }

    /// An answer that breaks off before its end, now and then.
    private func cut() -> HTTPResponse? {
        guard !isCalm.withLock({ $0 }), dice.next() % 1000 < cutsPerMille else { return nil }
        state.withLock { $0.cuts += 1 }
        return HTTPResponse(.ok, body: .stream(length: 1) { _ in throw CancellationError() })
    }
}
