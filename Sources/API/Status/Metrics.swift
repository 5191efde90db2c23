internal import Actions
internal import Authentication
internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Logging
internal import Store

extension APIHandlers {
    /// `GET /metrics`: the text exposition format of Prometheus, version 0.0.4; for programs of this machine itself, and for tokens of
    /// the scope `metrics`.
    package func showMetrics(_ request: HTTPRequest) async throws -> HTTPResponse {
        if request.fields.contains("Authorization") || !request.isFromThisMachineItself {
            do {
                _ = try await authentication.caller(of: request, needing: .metrics)
            } catch let error as AuthenticationError {
                return Self.refusal(error)
            }
        }
        return HTTPResponse(
            .ok, fields: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store"],
            body: .bytes(await metrics.text(from: status, logger)))
    }
}

/// The text of `/metrics`, made at most once a second however many ask.
actor MetricsCache {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private static let age = Duration.seconds(1)
    private var making: (task: Task<[UInt8], Never>, begun: Moment)?

    init(on loop: EventLoop) { self.loop = loop }

    /// As of at most a second ago.
    func text(from status: StatusSource, _ logger: Logger) async -> [UInt8] {
        if let making, Moment.now - making.begun < Self.age { return await making.task.value }
        let task = Task(executorPreference: loop) { await Self.text(status, logger) }
        making = (task, .now)
        return await task.value
    }

    private static func text(_ status: StatusSource, _ logger: Logger) async -> [UInt8] {
        let process = await status.process()
        let server = await status.server()
        var text = MetricsText()
        text.gauge("pics_build_info", "The running version.", [(["version": process.version], 1)])
        text.gauge(
            "process_start_time_seconds", "When the process started.", [([:], process.startedAt.timeIntervalSince1970)])
        text.gauge("process_resident_memory_bytes", "Resident memory.", [([:], Double(process.residentBytes))])
        text.gauge("process_open_fds", "Open descriptors.", [([:], Double(process.openDescriptors))])
        text.gauge("pics_disk_free_bytes", "Free space under the data folder.", [([:], Double(process.diskFreeBytes))])
        if let server { write(server, to: &text) }
        write(status.tasks(), to: &text)
        // A scraper learns most of a process whose database is away.
        let system: SystemStatus?
        do {
            system = try await status.system.read()
        } catch {
            logger.debug("metrics without the database's", ["error": logText(of: error)])
            system = nil
        }
        text.gauge("pics_database_up", "Whether PostgreSQL answers.", [([:], system == nil ? 0 : 1)])
        if let system {
            if let replica = system.replica {
                text.gauge(
                    "pics_replica_used", "Whether lists are read from the replica.",
                    [([:], replica.state == .used ? 1 : 0)])
                if let lag = replica.lag {
                    text.gauge("pics_replica_lag_seconds", "How far the replica is behind.", [([:], lag)])
                }
            }
            text.gauge(
                "pics_files_faulty", "Stored files that are not as they were stored.",
                [
                    (["fault": "missing"], Double(system.faults?.missing ?? 0)),
                    (["fault": "damaged"], Double(system.faults?.damaged ?? 0)),
                ])
            write(system.services, to: &text)
            write(system.gates, system.outcomes, to: &text)
        }
        return Array(text.text.utf8)
    }

    private static func write(_ server: ServerMetrics, to text: inout MetricsText) {
        text.gauge("http_connections_open", "Open connections of clients.", [([:], Double(server.openConnections))])
        text.counter(
            "http_connections_accepted_total", "Accepted connections.", [([:], Double(server.acceptedConnections))])
        text.counter(
            "http_connections_refused_total", "Refused connections.", [([:], Double(server.refusedConnections))])
        text.counter(
            "http_proxy_headers_refused_total", "Connections without the header of a trusted proxy.",
            [([:], Double(server.refusedProxyHeaders))])
        text.counter(
            "http_forwarded_ignored_total", "Requests whose trusted proxy said nothing that could be believed.",
            [([:], Double(server.ignoredForwarded))])
        text.counter(
            "http_requests_total", "Answered requests.",
            server.routes.flatMap { route in
                route.statuses.sorted { $0.status < $1.status }.map {
                    (
                        ["method": route.method?.rawValue ?? "*", "route": route.path, "status": String($0.status)],
                        Double($0.count)
                    )
                }
            })
        text.histogram(
            "http_request_duration_seconds", "How long requests took.",
            server.routes.filter { !$0.statuses.isEmpty }.map {
                (["method": $0.method?.rawValue ?? "*", "route": $0.path], $0.durations)
            })
    }

    private static func write(_ tasks: [PeriodicTaskRuns], to text: inout MetricsText) {
        func values(_ read: (PeriodicTaskRuns) -> Double) -> [(KeyValuePairs<String, String>, Double)] {
            tasks.map { (["task": $0.name], read($0)) }
        }
        text.gauge("pics_task_interval_seconds", "Time between two runs.", values { $0.interval / .seconds(1) })
        text.counter("pics_task_runs_total", "Ended runs of periodic tasks.", values { Double($0.runs) })
        text.counter("pics_task_failures_total", "Runs that ended with an error.", values { Double($0.failures) })
        text.counter(
            "pics_task_duration_seconds_total", "Time that runs took.", values { $0.duration / .seconds(1) })
    }

    private static func write(_ gates: [GateStatus], _ outcomes: [OutcomeCount], to text: inout MetricsText) {
        text.gauge(
            "pics_gate_paused", "Whether the operator holds it back.",
            gates.map { (["gate": $0.name], $0.isPaused ? 1 : 0) })
        text.gauge(
            "pics_gate_breaker_open", "Whether several accounts came to grief.",
            gates.map { (["gate": $0.name], $0.breaker == .closed ? 0 : 1) })
        text.gauge(
            "pics_lanes_failing", "Accounts whose own breaker is open.",
            gates.map { (["gate": $0.name], Double($0.lanesFailing)) })
        text.gauge(
            "pics_tries_last_hour", "Attempts that ended in the last hour, by outcome.",
            outcomes.map { (["service": $0.service, "outcome": $0.outcome], Double($0.count)) })
    }

    private static func write(_ services: [ServiceStatus], to text: inout MetricsText) {
        func values(_ read: (ServiceStatus) -> Double) -> [(KeyValuePairs<String, String>, Double)] {
            services.map { (["service": $0.service], read($0)) }
        }
        text.gauge("pics_queue_waiting", "Submissions that wait.", values { Double($0.waiting) })
        text.gauge("pics_queue_running", "Submissions that run.", values { Double($0.running) })
        text.gauge(
            "pics_queue_oldest_seconds", "Age of the longest-waiting submission.",
            values { max(0, -($0.oldestWaiting?.timeIntervalSinceNow ?? 0)) })
        text.gauge("pics_accounts", "Connected accounts.", values { Double($0.accounts) })
        text.gauge(
            "pics_accounts_needing_login", "Accounts to connect again.", values { Double($0.accountsNeedingLogin) })
        text.gauge(
            "pics_submissions", "Submissions by state.",
            services.flatMap { service in
                service.submissions.sorted { $0.key < $1.key }.map {
                    (["service": service.service, "state": $0.key], Double($0.value))
                }
            })
    }
}

/// Samples in the text exposition format: HELP and TYPE once for each name, then its samples.
private struct MetricsText {
    private(set) var text = ""

    mutating func gauge(_ name: String, _ help: String, _ samples: [(KeyValuePairs<String, String>, Double)]) {
        family(name, "gauge", help, samples)
    }

    mutating func counter(_ name: String, _ help: String, _ samples: [(KeyValuePairs<String, String>, Double)]) {
        family(name, "counter", help, samples)
    }

    mutating func histogram(
        _ name: String, _ help: String, _ samples: [(KeyValuePairs<String, String>, DurationHistogram)]
    ) {
        begin(name, "histogram", help)
        for (labels, histogram) in samples {
            let labels = labels.map { ($0.key, $0.value) }
            var total = 0
            for (count, bound) in zip(histogram.counts, DurationHistogram.bounds.map { String($0) } + ["+Inf"]) {
                total += count
                sample("\(name)_bucket", labels + [("le", bound)], Double(total))
            }
            sample("\(name)_sum", labels, Double(histogram.totalNanoseconds) / 1e9)
            sample("\(name)_count", labels, Double(total))
        }
    }

    private mutating func family(
        _ name: String, _ type: String, _ help: String, _ samples: [(KeyValuePairs<String, String>, Double)]
    ) {
        begin(name, type, help)
        for (labels, value) in samples { sample(name, labels.map { ($0.key, $0.value) }, value) }
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: Double) {
        let list = labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
        let number = value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
        text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(number)\n"
    }

    private func escaped(_ value: String) -> String {
        // Hardly any has one of them, and looking costs far less than replacing.
        guard value.utf8.contains(where: { $0 == 0x5C || $0 == 0x22 || $0 == 0x0A }) else { return value }
        return value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
