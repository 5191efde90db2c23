package import Actions
internal import Authentication
package import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
package import Store
internal import Submitters

/// The facts of this process and of the parts it uses.
package struct StatusSource: Sendable {
    package let process: @Sendable () async -> ProcessStatus
    /// Whether it stops; cheap, for those who ask often.
    package let isDraining: @Sendable () -> Bool
    package let server: @Sendable () async -> ServerMetrics?
    package let tasks: @Sendable () -> [PeriodicTaskRuns]
    package let system: StatusReader
    /// Why no photo can be stored, in a sentence; nil when one can.
    package let storageTrouble: @Sendable () async -> String?

    package init(
        process: @escaping @Sendable () async -> ProcessStatus, isDraining: @escaping @Sendable () -> Bool,
        server: @escaping @Sendable () async -> ServerMetrics?, tasks: @escaping @Sendable () -> [PeriodicTaskRuns],
        system: StatusReader, storageTrouble: @escaping @Sendable () async -> String?
    ) {
        self.process = process
        self.isDraining = isDraining
        self.server = server
        self.tasks = tasks
        self.system = system
        self.storageTrouble = storageTrouble
    }

    /// Whether it can serve: it is not stopping, a photo can be stored, the database answers and takes changes.
    package func works() async -> Bool {
        guard !isDraining(), await storageTrouble() == nil else { return false }
        return await system.databaseTrouble() == nil
    }
}

extension APIHandlers {
    /// `GET /status` as JSON: for strangers whether Pics works; for a user what concerns their accounts; for an admin, by a token of the
    /// scope `admin` or in the browser, everything. `user` is who is signed in to the browser; a token counts more.
    package func showStatus(_ request: HTTPRequest, signedIn user: User?) async throws -> HTTPResponse {
        let audience: StatusAudience
        do {
            audience = try await self.audience(of: request, signedIn: user)
        } catch let error as AuthenticationError {
            return Self.refusal(error)
        }
        switch audience {
        case .stranger:
            let works = await status.works()
            return Self.response(["status": works ? "pass" : "fail"], works ? .ok : .serviceUnavailable)
        case .user(let id): return Self.response(Self.body(try await status.system.read(of: id)))
        case .admin:
            let system = try await status.system.read()
            var body = Self.body(await status.process())
            for member in Self.body(system) { body[member.name] = member.value }
            return Self.response(body)
        }
    }

    private func audience(of request: HTTPRequest, signedIn user: User?) async throws -> StatusAudience {
        guard let caller = try await viewer(of: request) else { return StatusAudience(user) }
        return caller.may(.admin) ? .admin : .user(caller.user.id)
    }

    private static func response(_ body: JSONObject, _ code: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(
            code, fields: ["Content-Type": "application/json", "Cache-Control": "no-store", "Vary": "Accept"],
            body: .bytes(JSONValue.object(body).serialized))
    }

    private static func body(_ process: ProcessStatus) -> JSONObject {
        [
            "version": .string(process.version), "started_at": JSONValue(process.startedAt),
            "uptime_seconds": .int(Int64(Date().timeIntervalSince(process.startedAt))),
            "working": .bool(process.isWorking), "draining": .bool(process.isDraining),
            "disk": ["free_bytes": .int(process.diskFreeBytes), "total_bytes": .int(process.diskTotalBytes)],
        ]
    }

    private static func body(_ system: SystemStatus) -> JSONObject {
        var body: JSONObject = [
            "status": "pass", "read_at": JSONValue(system.readAt),
            "services": JSONValue(system.services.map(Self.body)),
            "gates": JSONValue(system.gates.map(Self.body)),
            "last_hour": JSONValue(
                system.outcomes.map {
                    ["service": .string($0.service), "outcome": .string($0.outcome), "tries": .int(Int64($0.count))]
                }),
            "problems": JSONValue(system.problems.map(Self.body)),
        ]
        if !system.nodes.isEmpty { body["nodes"] = JSONValue(system.nodes.map(Self.body)) }
        if let database = system.database {
            body["database"] = [
                "version": .string(database.version), "bytes": .int(database.bytes),
                "schema": .int(Int64(database.schema)), "photos": .int(database.photos), "users": .int(database.users),
            ]
        }
        if let replica = system.replica {
            body["replica"] = ["state": .string(replica.state.rawValue), "lag_seconds": JSONValue(replica.lag)]
        }
        if let faults = system.faults {
            body["files"] = [
                "missing": .int(Int64(faults.missing)), "damaged": .int(Int64(faults.damaged)),
                "healed": .int(Int64(faults.healed)),
            ]
        }
        return body
    }

    private static func body(_ node: NodeStatus) -> JSONValue {
        [
            "name": .string(node.name), "version": .string(node.version), "state": .string(node.state.rawValue),
            "serves": .bool(node.serves), "works": .bool(node.works), "started_at": JSONValue(node.startedAt),
            "seen_at": JSONValue(node.seenAt), "running": .int(Int64(node.runningJobs)),
            "resident_bytes": .int(node.residentBytes),
            "disk": ["free_bytes": .int(node.diskFreeBytes), "total_bytes": .int(node.diskTotalBytes)],
        ]
    }

    private static func body(_ service: ServiceStatus) -> JSONValue {
        let states = service.submissions.sorted { $0.key < $1.key }
        return [
            "service": .string(service.service), "accounts": .int(Int64(service.accounts)),
            "accounts_needing_login": .int(Int64(service.accountsNeedingLogin)),
            "waiting": .int(Int64(service.waiting)),
            "running": .int(Int64(service.running)), "oldest_waiting_since": JSONValue(service.oldestWaiting),
            "blocked_until": JSONValue(service.blockedUntil), "last_success_at": JSONValue(service.lastSuccess),
            "last_problem_at": JSONValue(service.lastProblemAt), "last_problem": JSONValue(service.lastProblem),
            "submissions": JSONValue(JSONObject(states.map { ($0.key, .int(Int64($0.value))) })),
            "submissions_estimated": .bool(service.areEstimated),
        ]
    }

    private static func body(_ problem: RecentProblem) -> JSONValue {
        [
            "at": JSONValue(problem.at), "service": .string(problem.service), "outcome": .string(problem.outcome),
            "http_status": JSONValue(problem.status), "problem": JSONValue(problem.problem),
        ]
    }
}
