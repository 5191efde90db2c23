internal import Crypto
internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP
internal import System

/// A mailbox that photos are sent from, and to whom.
struct MailAccount: Sendable {
    /// A name or an address; of version 6 in brackets.
    let host: String
    let port: UInt16
    let security: MailServer.Security
    let sender: MailAddress
    let username: String
    let recipients: [MailAddress]

    /// Of ours: it is for family and friends, not for a list.
    static let mostRecipients = 20

    /// Reads what a person has entered.
    ///
    /// - Throws: `.rejected` that names the field.
    init(_ entered: EnteredValues, policy: ServerPolicy) throws(SubmissionError) {
        (host, port, security) = try Self.server(try entered.required("server", "The mail server"), policy: policy)
        let text = try entered.required("sender", "The sender's address")
        guard let sender = MailAddress(text) else {
            throw Self.invalid("sender", "The sender's address", "alice@example.com")
        }
        self.sender = sender
        username = entered["username"] ?? sender.address
        recipients = try Self.recipients(try entered.required("recipients", "A recipient's address"))
    }

    init?(_ settings: JSONValue) {
        guard let host = settings["host"]?.string, let port = settings["port"]?.int.flatMap(UInt16.init(exactly:)),
            let security = settings["security"]?.string.flatMap(MailServer.Security.init),
            let sender = settings["from"]?.string.flatMap(MailAddress.init), let username = settings["username"]?.string
        else { return nil }
        let recipients = settings["to"]?.array?.compactMap { $0.string.flatMap(MailAddress.init) } ?? []
        guard !recipients.isEmpty else { return nil }
        (self.host, self.port, self.security) = (host, port, security)
        (self.sender, self.username, self.recipients) = (sender, username, recipients)
    }

    /// The settings that keep it, with what was entered for who connects again.
    func settings(_ entered: EnteredValues) -> JSONObject {
        var settings: JSONObject = [
            "host": .string(host), "port": .int(Int64(port)), "security": .string(security.rawValue),
            "from": .string(Self.text(sender)), "username": .string(username),
            "to": JSONValue(recipients.map { .string(Self.text($0)) }),
        ]
        for name in ["server", "sender", "recipients"] {
            if let value = entered[name] { settings[name] = .string(value) }
        }
        return settings
    }

    private static func text(_ address: MailAddress) -> String {
        address.name.map { "\"\($0)\" <\(address.address)>" } ?? address.address
    }

    /// A mailbox may be connected several times, for other recipients each.
    var remoteID: String {
        let recipients = recipients.map(\.address).sorted().joined(separator: ",")
        return "\(username)@\(host)/\(sender.address)/\(recipients.fingerprint)"
    }

    /// `alice@example.com → ann@example.org +2`.
    var name: String {
        let more = recipients.count > 1 ? " +\(recipients.count - 1)" : ""
        return "\(sender.address) → \(recipients[0].address)\(more)"
    }

    /// The server as a transport reaches it.
    func server(password: String, _ policy: ServerPolicy) -> MailServer {
        MailServer(
            host: host, port: port, security: security,
            login: password.isEmpty ? .none : .password(user: username, password: password),
            addressPolicy: policy.addresses)
    }

    // MARK: Entries

    private static func invalid(_ field: String, _ label: String, _ example: String) -> SubmissionError {
        .rejected(.valueInvalid, ProblemParameters(field: field, label: label, example: example))
    }

    private static func server(
        _ text: String, policy: ServerPolicy
    ) throws(SubmissionError) -> (String, UInt16, MailServer.Security) {
        guard let server = MailServerAddress(text), server.security != .none || policy == .any else {
            throw invalid("server", "The mail server", "smtp.example.com")
        }
        return (server.host, server.port, server.security)
    }

    /// Addresses apart by commas, each once.
    private static func recipients(_ text: String) throws(SubmissionError) -> [MailAddress] {
        let label = "A recipient's address"
        var recipients: [MailAddress] = []
        for text in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isNewline }) {
            let text = text.trimmedOfSpaces
            if text.isEmpty { continue }
            guard let address = MailAddress(text) else { throw invalid("recipients", label, "ann@example.org") }
            if !recipients.contains(where: { $0.address == address.address }) { recipients.append(address) }
        }
        guard 1...mostRecipients ~= recipients.count else { throw invalid("recipients", label, "ann@example.org") }
        return recipients
    }
}
