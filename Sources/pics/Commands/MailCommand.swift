import Actions
import Domain
import Formats
import Settings
import Submitters

/// `pics mail test`: whether mail arrives.
enum MailCommand: Command {
    static let name = "mail"
    static let summary = "Sends a test mail."
    static let help = """
        pics mail test ADDRESS

        Sends a mail to ADDRESS by the server of mail_server, and prints what the server answered.
        """
    static let wordLimit = 2

    static func run(_ arguments: Arguments) async throws -> Int32 {
        guard arguments.words.count == 2, arguments.words[0] == "test" else { throw misfit(arguments) }
        guard let address = MailActions.address(arguments.words[1]) else {
            throw UsageError("\(arguments.words[1]) is no mail address such as alice@example.com.")
        }
        let configuration = try configuration(arguments)
        return try await Runtime.with(configuration, name: "pics mail", for: .credentials) { runtime in
            guard let mail = runtime.mailActions else {
                throw CommandFailure("mail_server is not set: Pics sends no mail.")
            }
            do throws(SubmissionError) {
                let answer = try await mail.test(address, language: "en")
                Terminal.say("sent to \(address.address); the server answered: \(answer)".printable)
                return 0
            } catch {
                let detail = error.detail.map { "\nThe server answered: \($0)" } ?? ""
                throw CommandFailure("\(error.problem.text)\(detail)".printable)
            }
        }
    }
}
