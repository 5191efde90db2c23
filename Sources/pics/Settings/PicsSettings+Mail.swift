import Domain
import Formats
import HTTP
import Settings
import Submitters

extension MailServerAddress: SettingValue {
    package static var settingKind: String {
        "a mail server such as smtp.example.com, smtp.example.com:587 or smtp+insecure://mailhost:25"
    }
    package init?(setting text: String) { self.init(text) }
    package var settingText: String { text }
}

extension MailAddress: SettingValue {
    package static var settingKind: String { "a mail address such as pics@example.com or Pics <pics@example.com>" }
    package init?(setting text: String) { self.init(text) }
    package var settingText: String { name.map { "\($0) <\(address)>" } ?? address }
}

/// The account that Pics sends mail by. The server is the operator's own choice, so it may be at a private address.
extension PicsSettings {
    static let mailServer = Setting(
        "mail_server", default: MailServerAddress?.none,
        meaning: """
            The mail server for invitations, new passwords and notices: smtp.example.com, with :587 for STARTTLS, or smtp+insecure:// before it \
            for one without TLS in your own network; without it, Pics sends no mail.
            """)
    static let mailFrom = Setting(
        "mail_from", default: MailAddress?.none,
        meaning: "The sender of these mails, such as Pics <pics@example.com>; mail_server needs it.")
    static let mailUser = Setting(
        "mail_user", default: String?.none,
        meaning: "The user name at the mail server; without it, the address of mail_from.")
    static let mailPassword = Setting(
        "mail_password", default: String?.none, isSecret: true,
        meaning: "The password at the mail server; without it, Pics does not log in there.")

    static let mail = SettingSection("Mail", [mailServer, mailFrom, mailUser, mailPassword])

    /// How long connecting to the mail server and logging in may take.
    private static let mailTimeout = Duration.seconds(10)

    /// The server and the sender; nil where there is none.
    ///
    /// - Throws: `CommandFailure` when the sender is missing.
    static func mailAccount(_ configuration: Configuration) throws -> (server: MailServer, sender: MailAddress)? {
        guard let address = configuration[mailServer] else { return nil }
        guard let sender = configuration[mailFrom] else {
            throw CommandFailure("mail_server is set: set mail_from, too, to the address that mails come from.")
        }
        let user = configuration[mailUser] ?? sender.address
        return (
            MailServer(
                host: address.host, port: address.port, security: address.security,
                login: configuration[mailPassword].map { .password(user: user, password: $0) } ?? .none,
                timeout: mailTimeout, addressPolicy: .any),
            sender
        )
    }
}
