internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

/// The address of a webhook, which is all that it takes to post there: its last part is secret.
struct DiscordWebhook: Sendable, Equatable {
    /// `https://discord.com`.
    let origin: String
    let id: String
    let token: String

    /// Reads what a person has copied: `https://discord.com/api/webhooks/ID/TOKEN`, also with the version of the API.
    init(_ entered: String, policy: ServerPolicy) throws(SubmissionError) {
        let origin = try ServerOrigin(entered, policy: policy).description
        let url = URLComponents(entered: entered)
        guard
            let match = (url?.path ?? "").wholeMatch(of: /\/api(?:\/v[0-9]+)?\/webhooks\/([0-9]+)\/([A-Za-z0-9_-]+)\/?/)
        else {
            throw .rejected(
                .valueInvalid,
                ProblemParameters(
                    field: "webhook", label: "The address of the webhook",
                    example: "https://discord.com/api/webhooks/1234/abcd"))
        }
        self.origin = origin
        id = String(match.1)
        token = String(match.2)
    }

    /// Reads an account.
    init(_ account: OpenedAccount) {
        origin = account.settings["base_url"]?.string ?? ""
        id = account.remoteID
        token = account.credentials["token"]?.string ?? ""
    }
}
