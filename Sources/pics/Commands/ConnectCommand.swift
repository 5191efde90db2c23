import Domain
import EventLoops
import Foundation
import Store
import Submitters

/// `pics connect SERVICE`: asks for what the service needs and connects the account.
enum ConnectCommand: Command {
    static let name = "connect"
    static let summary = "Connects an account of a service."
    static let help = """
        pics connect SERVICE [NAME=VALUE …] [--user admin]
        pics connect

        Without SERVICE it lists the services. What is not given is asked for; secrets are not shown while you type.
        Without a terminal, what is missing is read from standard input, a line each, in the order it would be asked.
        """
    static let options: Set<String> = ["user"]

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        let registry = Runtime.registry(
            configuration, folder: try DataFolder(configuration), threads: BlockingThreads(name: "disk", count: 1))
        guard let name = arguments.words.first else {
            for submitter in registry.submitters { print(line(submitter.description)) }
            return 0
        }
        guard let submitter = registry[name] else {
            throw UsageError("There is no service \(name). There are \(registry.names.joined(separator: ", ")).")
        }
        let entered = try enter(submitter.description, given: arguments.words.dropFirst())
        return try await Runtime.with(configuration, name: "pics connect") { runtime in
            let user: User
            do {
                user = try await runtime.store.user(named: arguments["user"] ?? "admin")
            } catch StoreError.notFound {
                throw CommandFailure("There is no user \(arguments["user"] ?? "admin"). `pics user list` shows all.")
            }
            do {
                let account = try await Accounts(runtime).connect(submitter, of: user, entered: entered)
                print("connected \(submitter.description.name) as \(account.name) for \(user.name)")
            } catch let error as SubmissionError {
                throw CommandFailure(sentence(error, submitter.description.name))
            }
            return 0
        }
    }

    private static func line(_ service: ServiceDescription) -> String {
        let fields = service.credentialFields.map(\.name).joined(separator: ", ")
        return "\(service.id)  \(service.name)" + (fields.isEmpty ? "" : "  needs \(fields)")
    }

    private static func enter(
        _ service: ServiceDescription, given: some Sequence<String>
    ) throws(UsageError) -> [String: String] {
        var entered: [String: String] = [:]
        for word in given {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, service.credentialFields.contains(where: { $0.name == parts[0] }) else {
                let names = service.credentialFields.map(\.name).joined(separator: ", ")
                throw UsageError("\(parts[0]) is none of what \(service.name) needs: \(names).")
            }
            entered[parts[0]] = parts[1]
        }
        for field in service.credentialFields where entered[field.name] == nil {
            let answer = Terminal.ask(field.prompt, default: field.defaultValue, isSecret: field.isSecret)
            guard let value = answer ?? field.defaultValue else { throw UsageError("\(field.name) is needed.") }
            entered[field.name] = value
        }
        return entered
    }

    private static func sentence(_ error: SubmissionError, _ service: String) -> String {
        switch error {
        case .temporary(let problem, _), .unauthorized(let problem), .rejected(let problem), .gone(let problem),
            .unknownOutcome(let problem):
            problem.sentence + (problem.detail.map { " (\($0))" } ?? "")
        case .limited: "\(service) lets nobody in for a while; its limit is used up."
        case .notYet, .cancelled, .leaseLost: "\(service) did not answer."
        }
    }
}
