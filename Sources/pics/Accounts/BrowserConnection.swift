import Actions
import Crypto
import Domain
import EventLoops
import FoundationEssentials
import Glibc
import HTTP
import Settings
import Store
import Submitters
internal import System

/// A connection that the terminal begins and a browser ends: by coming back to a running Pics, or by what is pasted.
struct BrowserConnection {
    let submitter: any OAuthSubmitter
    private let base: String

    /// Fields that are asked for before the browser opens.
    var fields: [CredentialField] { submitter.oauth.accountFields }

    /// `url` is how browsers reach this Pics, when somebody says so.
    init(_ submitter: any OAuthSubmitter, _ url: String?, _ configuration: Configuration) throws(UsageError) {
        self.submitter = submitter
        if let url {
            guard let address = WebAddress(setting: url) else {
                throw UsageError("--url takes a web address such as http://127.0.0.1:8080, not \(url).")
            }
            base = address.text
            return
        }
        let running = try Client.localBase(configuration)
        guard let base = configuration.baseURL?.text ?? running else {
            throw UsageError("Say with --url or base_url how browsers reach this Pics: they have to come back to it.")
        }
        self.base = base
    }

    /// Whether the settings alone let accounts be connected.
    static func isReady(_ submitter: any OAuthSubmitter, _ configuration: Configuration) -> Bool {
        let keys = PicsSettings.applicationKeys(configuration)[submitter.description.id] ?? [:]
        return submitter.missingKeys(of: ClientCredentials(keys)).isEmpty
    }

    /// Prints the address and waits; the account's name.
    ///
    /// - Throws: `CommandFailure`; `SubmissionError` of the service.
    func connect(
        _ user: User, entered: [String: String], chosen: JSONObject, _ runtime: Runtime
    ) async throws -> String {
        let begun: PendingAuthorization
        do {
            begun = try await runtime.accounts.begin(
                submitter,
                AuthorizationDraft(
                    user: user, by: .terminal, entered: entered, chosen: chosen, base: base))
        } catch AuthorizationStartError.missingKeys(let names) {
            let service = submitter.description
            throw CommandFailure(
                "Pics has no keys for \(service.name). Set \(names.map { "\(service.id.replacing("-", with: "_"))_\($0)" }.joined(separator: ", ")); `pics doctor \(service.id)` says where they are got."
            )
        } catch AuthorizationStartError.tooMany {
            throw CommandFailure("Too many connections are begun. End those that are open, or wait ten minutes.")
        }
        Terminal.say(
            """
            Open this address in a browser, and agree there:

            open \(begun.url)

            Then you come back to \(base). If no Pics runs there, paste the address that the browser shows, or its code:
            """)
        let typed = TypedLines()
        while Date() < begun.expiresAt {
            if let line = typed.take() { return try await end(begun, with: line, of: user, runtime) }
            let progress = try await runtime.store.authorization(begun.id, of: user.id)
            if let problem = progress.problem { throw CommandFailure(problem.text) }
            if let id = progress.connection {
                return try await runtime.store.connection(id, owner: user.id).connection.account
            }
            try await runtime.workLoop.sleep(for: .milliseconds(500))
        }
        throw CommandFailure("Nobody came back in ten minutes. Begin anew.")
    }

    private func end(
        _ begun: PendingAuthorization, with line: String, of user: User, _ runtime: Runtime
    ) async throws -> String {
        do {
            return try await runtime.accounts.end(
                AuthorizationCallback(
                    service: submitter.description.id, parameters: try parameters(of: line, begun), user: user.id)
            ).made().account
        } catch let refusal as AuthorizationError {
            throw CommandFailure(refusal.sentence)
        }
    }

    /// Of an address its query; anything else is the code itself, or what OAuth 1.0a calls the verifier.
    private func parameters(of line: String, _ begun: PendingAuthorization) throws(CommandFailure) -> FormFields {
        guard let query = line.split(separator: "?", maxSplits: 1).dropFirst().first else {
            return ["code": line, "oauth_verifier": line, "state": begun.state.reveal()]
        }
        guard var fields = FormFields(String(query.prefix { $0 != "#" })) else {
            throw CommandFailure("This is no address that a service sends back to.")
        }
        if fields["state"] == nil { fields.add("state", begun.state.reveal()) }
        return fields
    }
}

/// Lines that are typed while a command also waits for something else.
private final class TypedLines: Sendable {
    private let lines = Lock<[String]>([])

    /// Reads until the input ends, on a thread of its own that nothing waits for.
    ///
    /// Not with `readLine`: it holds the lock of `stdin` while it waits, and `fflush(nil)` and `exit` want that too.
    init() {
        let lines = lines
        startThread("input") {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            var rest: [UInt8] = []
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest += buffer.prefix(count)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: rest[..<end], as: UTF8.self).trimmedOfSpaces
                    rest.removeSubrange(...end)
                    if !line.isEmpty { lines.withLock { $0.append(line) } }
                }
                // Nobody pastes so much.
                if rest.count > 1 << 20 { return }
            }
        }
    }

    func take() -> String? { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
