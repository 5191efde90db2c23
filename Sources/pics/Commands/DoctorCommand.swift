import Actions
import Domain
import Foundation
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
        pics doctor [SERVICE …]

        Checks the certificate of tls_domain, the gallery that front names, the mail server, the bucket, stored files, the sandbox of pictures, connected
        accounts, and for each service that is used or named, whether accounts can be connected, which keys are missing and
        where to get them.
        Exit status: 0 when every connected account works, else 1.
        """
    static let wordLimit = Int.max

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        return try await Runtime.with(configuration, name: "pics doctor", for: .credentials) { runtime in
            let base = configuration.baseURL?.text
            if base == nil {
                Terminal.say("base_url is not set: services send browsers back to the address that Pics listens at.")
            }
            try await printServices(arguments.words, base: try base ?? Client.localBase(configuration), runtime)
            let media = runtime.openMedia()
            let doctor = Doctor(runtime: runtime, media: media)
            for finding in try await doctor.certificate() {
                Terminal.say("certificate: \(finding.what.english) \(finding.remedy.english)")
            }
            for finding in try await doctor.front() {
                Terminal.say("front: \(finding.what.english) \(finding.remedy.english)")
            }
            if runtime.mail != nil {
                let findings = await doctor.mail()
                for finding in findings {
                    Terminal.say("mail: \(finding.what.english) \(finding.remedy.english)")
                }
                if findings.isEmpty {
                    Terminal.say("mail: ready, the server takes mail of \(runtime.mail?.from ?? "")")
                }
            }
            for finding in await doctor.bucket() {
                Terminal.say("bucket: \(finding.what.english) \(finding.remedy.english)".printable)
            }
            for finding in try await doctor.files() {
                Terminal.say("files: \(finding.what.english) \(finding.remedy.english)")
            }
            await printPictures(doctor)
            // Only pictures needed it.
            await media.stop()
            return try await examine(doctor) ? 0 : 1
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

    private static func printPictures(_ doctor: Doctor) async {
        let findings = await doctor.pictures()
        for finding in findings {
            Terminal.say("pictures: \(finding.what.english) \(finding.remedy.english)")
        }
        if findings.isEmpty { Terminal.say("pictures: ready, their processes' system calls are filtered") }
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
