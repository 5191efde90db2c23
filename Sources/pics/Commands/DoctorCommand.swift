import Actions
import Domain
import FoundationEssentials
import HTTP
import Media
import Notices
import Settings
import Store
import Submitters
import Web

/// `pics doctor`: what is missing.
enum DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Finds problems and says how to fix them."
    static let help = """
        pics doctor [SERVICE …] [--json]

        Checks the address from outside, proxies, certificates, database, clock, disk, permissions, processes, the age of the last backup, the mail server, the
        bucket, stored files, the sandbox of pictures, connected accounts, and for each service that is used or named, whether accounts can be
        connected, which keys are missing and where to get them. One line for each problem, with its remedy; nothing about what nobody uses.
        With --json the problems are one JSON object.
        Exit status: 0 when nothing has to be fixed, else 1.
        """
    static let flags: Set<String> = ["json"]
    static let wordLimit = Int.max

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        return try await Runtime.with(configuration, name: "pics doctor", for: .credentials) { runtime in
            let base = configuration.baseURL?.text
            let media = runtime.openMedia()
            let doctor = Doctor(runtime: runtime, media: media)
            let reports = try await doctor.reports()
            if arguments.flags.contains("json") {
                await media.stop()
                return try await printJSON(reports, doctor)
            }
            if base == nil {
                Terminal.say("base_url is not set: services send browsers back to the address that Pics listens at.")
            }
            try await printServices(arguments.words, base: try base ?? Client.localBase(configuration), runtime)
            for report in reports where report.area != "base_url" || base != nil {
                let finding = report.finding
                Terminal.say("\(report.area): \(finding.what.english) \(finding.remedy.english)".printable)
            }
            let areas = Set(reports.map(\.area))
            if let mail = runtime.mail, !areas.contains("mail") {
                Terminal.say("mail: ready, the server takes mail of \(mail.from)")
            }
            if !areas.contains("pictures") {
                Terminal.say("pictures: ready, their processes' system calls are filtered")
            }
            // Only pictures needed it.
            await media.stop()
            let isWell = try await examine(doctor) && reports.allSatisfy(\.isAdvice)
            return isWell ? 0 : 1
        }
    }

    /// The services that are named, else those that have accounts or keys, and in one line what else there is.
    private static func printServices(_ named: [String], base: String?, _ runtime: Runtime) async throws {
        let known = try await runtime.accounts.applications.known()
        let used = Set(try await runtime.store.serviceStatus().map(\.service))
        var told: Set<String> = []
        for name in named {
            guard let submitter = runtime.registry[name] else {
                throw UsageError(
                    "There is no service \(name). There are \(runtime.registry.names.joined(separator: ", ")).")
            }
            told.insert(submitter.description.id)
        }
        let submitters = runtime.registry.submitters
        if named.isEmpty {
            told = Set(submitters.map(\.description.id).filter { used.contains($0) || known($0).source != nil })
        }
        for submitter in submitters where told.contains(submitter.description.id) {
            Terminal.say(line(submitter, known(submitter.description.id), base: base))
        }
        let offered = try await runtime.accounts.offered.ids()
        let others = submitters.map(\.description.id).filter { !told.contains($0) && offered.contains($0) }
        if named.isEmpty, !others.isEmpty {
            Terminal.say("not used: \(others.joined(separator: ", ")); `pics doctor SERVICE` says what one needs")
        }
    }

    /// For programs: what `/status` of a monitoring system wants to know.
    private static func printJSON(_ reports: [Doctor.Report], _ doctor: Doctor) async throws -> Int32 {
        let accounts = try await doctor.troubledAccounts()
        let isWell = reports.allSatisfy(\.isAdvice) && accounts.isEmpty
        let json: JSONValue = [
            "status": .string(isWell ? "pass" : "fail"), "version": .string(version),
            "findings": JSONValue(
                reports.map { report in
                    [
                        "area": .string(report.area), "what": .string(report.finding.what.english),
                        "remedy": .string(report.finding.remedy.english), "advice": .bool(report.isAdvice),
                    ]
                }),
            "accounts": JSONValue(
                accounts.map { account in
                    [
                        "service": .string(account.record.connection.service),
                        "account": .string(account.record.connection.account), "owner": .string(account.owner),
                        "problem": .string(account.trouble),
                    ]
                }),
        ]
        Terminal.say(String(decoding: json.serialized, as: UTF8.self))
        return isWell ? 0 : 1
    }

    private static func line(_ submitter: any Submitter, _ known: OAuthClients.Known, base: String?) -> String {
        let service = submitter.description
        guard let application = submitter as? any OAuthSubmitter else {
            return "\(service.id): ready; `pics connect \(service.id)` asks for what it needs"
        }
        let missing = application.missingKeys(of: known.keys)
        guard !missing.isEmpty else {
            let source = known.source.map { ", with keys of the \($0.rawValue)" } ?? ""
            return "\(service.id): ready, in the browser\(source)"
        }
        let fields = missing.map { name in
            let prompt = application.oauth.appFields.first { $0.name == name }?.prompt ?? ""
            return "\(service.id.replacing("-", with: "_"))_\(name) (\(prompt))"
        }
        let callback = AccountActions.callback(of: service.id, base: base ?? "BASE_URL")
        let otherwise =
            service.credentialFields.isEmpty ? "" : "; without a browser `pics connect \(service.id)` asks for tokens"
        return "\(service.id): missing \(fields.joined(separator: ", ")); register \(callback) there\(otherwise)"
    }

    /// Whether every account can work.
    private static func examine(_ doctor: Doctor) async throws -> Bool {
        let runtime = doctor.runtime
        let troubled = try await doctor.troubledAccounts()
        for (record, owner, trouble) in troubled {
            let connection = record.connection
            Terminal.say("account \(connection.service) \(connection.account) of \(owner): \(trouble)".printable)
        }
        let areSealedAnew = try await !KeyRotation(store: runtime.store, keys: runtime.keys).isPending()
        if !areSealedAnew { Terminal.say("Some secrets are sealed with an old key: `pics rotate-key` goes on.") }
        return troubled.isEmpty && areSealedAnew
    }
}
