package import Domain
package import FoundationEssentials
package import HTTP
internal import System

/// A post that a submission has made: what may be done to it afterwards.
package struct PublishedPost: Sendable {
    /// As its receipt named it.
    package let remoteID: String
    package let url: String?
    /// The posts that follow it in a thread, as its receipt named them.
    package let parts: [String]
    /// What its readers are told of the photo's content.
    package let labels: ContentLabels
    package let account: OpenedAccount
    package let transport: any Transport
    /// The time, which tests move.
    package let now: @Sendable () -> Date

    package init(
        remoteID: String, url: String?, parts: [String] = [], labels: ContentLabels = ContentLabels(),
        account: OpenedAccount, transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) {
        self.remoteID = remoteID
        self.url = url
        self.parts = parts
        self.labels = labels
        self.account = account
        self.transport = transport
        self.now = now
    }
}

/// A service whose posts can be taken back.
package protocol DeletingSubmitter: Submitter {
    /// Takes a post back. One that is not there any more is no error: deleting twice ends like deleting once.
    func delete(_ post: PublishedPost) async throws(SubmissionError)
}

/// A service whose posts' words can be changed.
package protocol EditingSubmitter: Submitter {
    /// Whether the labels of a post change with its words; else it keeps them.
    var editsLabels: Bool { get }

    /// Replaces the words of a post; asking twice ends like asking once. `text` is planned by the account's caption rule.
    ///
    /// - Throws: `.gone` when the post is not there any more.
    func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError)
}

extension EditingSubmitter {
    package var editsLabels: Bool { false }
}

/// A service whose credentials end and can be renewed without their owner.
package protocol RefreshingSubmitter: Submitter {
    /// When the credentials end; nil when they do not say, or last.
    func expiry(of credentials: JSONValue) -> Date?

    /// Whether these have what it takes to renew them; tokens that a person has entered may not.
    func canRenew(_ credentials: JSONValue) -> Bool

    /// Asks for new credentials with the old ones. The queue lets one process ask at a time, and stores the response before
    /// it is used.
    ///
    /// - Throws: `.unauthorized` when only the owner can connect again.
    /// - Returns: All members of the credentials; an empty or missing one keeps what was stored.
    func refreshCredentials(
        of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> JSONValue
}

extension RefreshingSubmitter {
    package func canRenew(_ credentials: JSONValue) -> Bool { true }
}

/// A place at a service where photos are kept together: a photoset, a folder, a notebook.
package struct Album: Sendable, Equatable {
    /// The value of `AccountChoice.album` that chooses it.
    package let id: String
    /// As people know it.
    package let name: String

    /// The most that a list of an account's albums has.
    package static let longestList = 1000

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// The name that a person has entered, without surrounding white space.
    ///
    /// - Throws: `.rejected` when it is empty, or does not fit the service.
    static func name(
        _ entered: String, of service: ServiceDescription, fits: (String) -> Bool = { _ in true }
    ) throws(SubmissionError) -> String {
        let name = entered.trimmed
        guard !name.isEmpty, fits(name) else {
            throw .rejected(.albumNameInvalid, ProblemParameters(service: service.name))
        }
        return name
    }
}

/// A service whose accounts have albums. `AccountChoice.album` chooses the one that photos go to.
package protocol AlbumSubmitter: Submitter {
    /// The albums of an account, in the service's order; at most `Album.longestList`.
    func albums(of account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) -> [Album]

    /// Whether programs can make albums there; else people do, on the service's own pages.
    var createsAlbums: Bool { get }

    /// Makes an album, or finds the one of that name where the service allows no second.
    ///
    /// A service that has no empty albums gives back an `id` by which the first photo makes it.
    func createAlbum(
        named name: String, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> Album
}

extension AlbumSubmitter {
    package var createsAlbums: Bool { true }
}

/// Likes, reposts and replies of a post, as its service counts them; nil where it does not tell.
package struct Engagement: Sendable, Equatable {
    package let likes: Int?
    package let comments: Int?
    /// Reposts, shares and quotes.
    package let shares: Int?

    package init(likes: Int? = nil, comments: Int? = nil, shares: Int? = nil) {
        self.likes = likes
        self.comments = comments
        self.shares = shares
    }
}

/// A service that tells how many people liked a post. A read may count against a limit, or cost money: see the service.
package protocol EngagementSubmitter: Submitter {
    /// Of reading the counts of a post, in millionths of a dollar; 0: nothing.
    var countPrice: Int64 { get }

    /// Counts. Throws `.gone` when the post is not there any more.
    func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement
}

extension EngagementSubmitter {
    package var countPrice: Int64 { 0 }
}

/// The responses to a post that its service lists.
package struct ResponseList: Sendable, Equatable {
    package var found: [FoundResponse] = []
    /// Kinds that were listed to their end: what is not among them is gone.
    package var complete: Set<Response.Kind> = []
    /// Why the lists end before all were read: the service does not want to be asked, or a right is missing.
    package var failure: SubmissionError?

    package init(found: [FoundResponse] = [], complete: Set<Response.Kind> = []) {
        (self.found, self.complete) = (found, complete)
    }

    /// The list without the posts that follow in the same thread; who answers one of them answers the post.
    package func without(_ parts: [String]) -> ResponseList {
        let own = Set(found.filter { parts.contains($0.remoteID ?? $0.key) }.map(\.key))
        guard !own.isEmpty else { return self }
        var list = self
        list.found = found.filter { !own.contains($0.key) }.map { response in
            response.parent.map(own.contains) == true ? response.answeringPost : response
        }
        return list
    }

    /// The lists of several kinds. One that cannot be read takes no other with it; where the service wants to be asked no more, those read so far
    /// are kept.
    static func of(
        _ kinds: [Response.Kind],
        _ read: (Response.Kind) async throws(SubmissionError) -> (found: [FoundResponse], isComplete: Bool)
    ) async throws(SubmissionError) -> ResponseList {
        var list = ResponseList()
        var (failure, succeeded): (SubmissionError?, Int) = (nil, 0)
        for kind in kinds {
            do throws(SubmissionError) {
                let (found, isComplete) = try await read(kind)
                list.found += found
                if isComplete { list.complete.insert(kind) }
                succeeded += 1
            } catch {
                switch error {
                case .gone: throw error
                case .limited, .unauthorized:
                    list.failure = error
                    return list
                default: failure = error
                }
            }
        }
        if let failure, succeeded == 0 { throw failure }
        return list
    }
}

/// A service that lists who has said or done what with a post.
package protocol RespondingSubmitter: EngagementSubmitter {
    /// Of each response that is listed, in millionths of a dollar; 0: nothing.
    var responsePrice: Int64 { get }

    /// The responses to a post that everybody may see.
    ///
    /// Lists are asked for where something is counted, and of the kinds that are `known`, of which something may be gone.
    ///
    /// - Throws: `.gone` when the post is not there any more.
    func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList
}

/// A service that tells in one request which posts of an account somebody has responded to.
package protocol NewsSubmitter: RespondingSubmitter {
    /// What came after `cursor`, as far as one request tells.
    func news(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> PostNews
}

/// Which posts something came to.
package struct PostNews: Sendable, Equatable {
    /// As receipts name them, or as the service names responses to them.
    package let posts: Set<String>
    /// Where the next request begins; nil: where this one did.
    package let cursor: String?

    package init(posts: Set<String> = [], cursor: String? = nil) { (self.posts, self.cursor) = (posts, cursor) }
}

extension RespondingSubmitter {
    package var responsePrice: Int64 { 0 }
}

extension Engagement {
    /// Whether there may be something of a kind; what the service does not count may be there.
    package func mayHave(_ kind: Response.Kind) -> Bool {
        switch kind {
        case .like: likes != 0
        case .comment: comments != 0
        case .repost, .quote: shares != 0
        case .mention: false
        }
    }
}

/// A service that tells the profile pictures of accounts, for no more than one request. One that takes money for it is none: its picture
/// is told once, by `connect`.
package protocol PictureSubmitter: Submitter {
    /// The address of an account's profile picture, which anybody may read; nil when it has none.
    func picture(of account: OpenedAccount, over transport: any Transport) async throws(SubmissionError) -> String?
}

/// A service whose journal has changed its form: submissions that an older Pics has begun go on.
package protocol JournalUpgrading: Submitter {
    /// The form that `submit` and `reconcile` read and write; 1 unless a service says otherwise.
    var journalVersion: Int { get }

    /// Turns a journal of an older form into today's.
    func upgradeJournal(_ journal: JSONObject, from version: Int) -> JSONObject
}
