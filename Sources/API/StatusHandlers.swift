package import Domain
internal import Foundation
internal import HTTP
package import HTTPServer
package import Store

/// What the process knows of itself and of what it works with.
package struct StatusSource: Sendable {
    package let process: @Sendable () -> ProcessStatus
    /// Whether it stops; cheap, for those who ask often.
    package let isDraining: @Sendable () -> Bool
    package let server: @Sendable () async -> ServerMetrics?
    package let system: StatusReader
    /// Why no photo can be stored, in a sentence; nil when one can.
    package let storageTrouble: @Sendable () async -> String?

    package init(
        process: @escaping @Sendable () -> ProcessStatus, isDraining: @escaping @Sendable () -> Bool,
        server: @escaping @Sendable () async -> ServerMetrics?,
        system: StatusReader, storageTrouble: @escaping @Sendable () async -> String?
    ) {
        self.process = process
        self.isDraining = isDraining
        self.server = server
        self.system = system
        self.storageTrouble = storageTrouble
    }
}

extension API {
    /// `GET /status`: per service, the queue; database, disk, version.
    package func showStatus(_ request: Request) async throws -> Response {
        let process = status.process()
        let system = try await status.system.read()
        let body: JSONValue = [
            "version": .string(process.version), "started_at": JSONValue(process.startedAt),
            "uptime_seconds": .int(Int64(Date().timeIntervalSince(process.startedAt))),
            "read_at": JSONValue(system.readAt), "working": .bool(process.isWorking),
            "draining": .bool(process.isDraining),
            "services": JSONValue(system.services.map(Self.body)),
            "gates": JSONValue(system.gates.map(Self.body)),
            "last_hour": JSONValue(
                system.outcomes.map {
                    [
                        "service": .string($0.service), "outcome": .string($0.outcome), "tries": .int(Int64($0.count)),
                    ]
                }),
            "problems": JSONValue(system.problems.map(Self.body)),
            "database": [
                "version": .string(system.database.version), "bytes": .int(system.database.bytes),
                "schema": .int(Int64(system.database.schema)), "photos": .int(system.database.photos),
                "users": .int(system.database.users),
            ],
            "disk": ["free_bytes": .int(process.diskFreeBytes), "total_bytes": .int(process.diskTotalBytes)],
        ]
        return Response(
            .ok, fields: ["Content-Type": "application/json", "Cache-Control": "no-store", "Vary": "Accept"],
            body: .bytes(body.serialized))
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

    /// Accounts are left out: the status may be read by everybody.
    private static func body(_ problem: RecentProblem) -> JSONValue {
        [
            "at": JSONValue(problem.at), "service": .string(problem.service), "outcome": .string(problem.outcome),
            "http_status": JSONValue(problem.status), "problem": JSONValue(problem.problem),
        ]
    }
}
