package import Domain
package import HTTP

/// One service: what it is, how an account is connected, how a photo gets there.
///
/// A submitter keeps no state, never sleeps, never retries, never touches the database and never sees a client's
/// request. It throws one `SubmissionError`, and the queue decides what follows. Cancellation is task cancellation.
package protocol Submitter: Sendable {
    /// The service's facts, with their source.
    var description: ServiceDescription { get }

    /// How this account counts and cuts a caption; `settings` is what `connect` or `refresh` found out.
    func captionRule(_ settings: JSONValue) -> CaptionRule

    /// The media that this account takes.
    func mediaRule(_ settings: JSONValue) -> MediaRule

    /// Whose trouble the account shares with others: the service's id, or the server of this account where users name
    /// their own.
    func gate(_ settings: JSONValue) -> String

    /// Checks what a person entered for `description.credentialFields` by asking the service whose account it is.
    func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount

    /// Reads an account's limits anew; called before work when they are older than `description.settingsLife`.
    /// Returns nil when there is nothing to read. What is returned is added to the settings: it names no member that the owner
    /// chooses.
    func refreshSettings(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue?

    /// Publishes. Steps that a crash may interrupt are journalled; the request that publishes is made in `task.publish`, which arms
    /// the journal immediately before it.
    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt

    /// Looks whether an armed submission whose end is unknown did publish.
    func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation
}

extension Submitter {
    package func captionRule(_ settings: JSONValue) -> CaptionRule { description.captionRule }

    /// The captions of an account's posts with these labels.
    package func captions(_ settings: JSONValue, _ labels: ContentLabels = ContentLabels()) -> AccountCaption {
        let rule = captionRule(settings)
        var captions = AccountCaption(
            settings, serviceRule: description.countsWarning ? rule.leavingRoom(for: labels.warning) : rule)
        if captions.long == .thread, (self as? any ThreadingSubmitter)?.canThread(settings) != true {
            captions.long = .cut
        }
        return captions
    }

    package func mediaRule(_ settings: JSONValue) -> MediaRule { description.mediaRule }

    package func gate(_ settings: JSONValue) -> String { description.id }

    package func refreshSettings(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue? { nil }
}

/// An account that a person has just connected.
package struct ConnectedAccount: Sendable {
    /// The account's identifier at the service: with the service, the identity of the connection.
    package let remoteID: String
    /// As people know it, such as `alice@social.example`.
    package let name: String
    /// The credentials that `submit` uses; sealed before they are stored.
    package let credentials: JSONValue
    /// Facts about the account that are no secret, such as an instance's limits.
    package let settings: JSONValue
    /// Its profile picture, as far as the answers that were read tell it.
    package let picture: ProfilePicture

    package init(
        remoteID: String, name: String, credentials: JSONValue, settings: JSONValue, picture: ProfilePicture = .untold
    ) {
        self.remoteID = remoteID
        self.name = name
        self.credentials = credentials
        self.settings = settings
        self.picture = picture
    }
}

/// The profile picture of an account at its service, as far as connecting tells it.
package enum ProfilePicture: Sendable, Equatable {
    /// Its address, which anybody may read.
    case at(String)
    /// The account has none.
    case missing
    /// Nothing; a `PictureSubmitter` is asked.
    case untold

    /// The address in an answer that names it where there is a picture.
    init(_ url: String?) {
        self = url.flatMap { $0.isEmpty ? nil : .at($0) } ?? .missing
    }
}

/// A connected account, its credentials opened for one attempt.
package struct OpenedAccount: Sendable {
    package let connection: AccountID
    package let remoteID: String
    package let name: String
    package let credentials: JSONValue
    package let settings: JSONValue

    package init(
        connection: AccountID, remoteID: String, name: String, credentials: JSONValue, settings: JSONValue
    ) {
        self.connection = connection
        self.remoteID = remoteID
        self.name = name
        self.credentials = credentials
        self.settings = settings
    }
}

/// A service's confirmation of a published photo.
package struct Receipt: Sendable, Equatable {
    package let remoteID: String
    /// Where people see it; nil when it has no address.
    package let url: String?
    /// The text as sent, when it had to differ from the plan.
    package let text: String?
    /// The posts that follow in a thread, in order, as `remoteID` names the first.
    package let parts: [String]
    /// Why a thread ends before its last part; nil when everything was posted.
    package let problem: SubmissionProblem?

    package init(
        remoteID: String, url: String?, text: String? = nil, parts: [String] = [], problem: SubmissionProblem? = nil
    ) {
        self.remoteID = remoteID
        self.url = url
        self.text = text
        self.parts = parts
        self.problem = problem
    }
}

/// The finding about an armed submission.
package enum Reconciliation: Sendable, Equatable {
    /// It did publish.
    case found(Receipt)
    /// It did not; sending is safe.
    case absent
    /// Sending again cannot publish twice: the service knows the key.
    case repeatable
    /// The service does not tell; a person decides.
    case cannotTell
}

/// The associated data of sealed credentials: those of one account cannot be put in another account's row.
package enum CredentialContext {
    package static func of(service: String, remoteID: String) -> String { "connection/\(service)/\(remoteID)" }
}
