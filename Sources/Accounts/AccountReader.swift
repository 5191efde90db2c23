package import Crypto
internal import Domain
internal import EventLoops
package import FoundationEssentials
package import HTTP
package import Store
package import Submitters
internal import System

/// Opens the credentials of stored accounts, renews those that are about to end, and asks services about posts.
package struct AccountReader: Sendable {
    package let store: PicsStore
    package let registry: Registry
    package let keys: KeyRing
    /// A service's answer is awaited for `answerTime`.
    package let transport: BoundedTransport
    package let now: @Sendable () -> Date

    /// The longest time that a service may take to answer while a person waits.
    package static let answerTime = Duration.seconds(20)

    package init(
        store: PicsStore, registry: Registry, keys: KeyRing, transport: any Transport,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.registry = registry
        self.keys = keys
        self.transport = BoundedTransport(transport, longest: Self.answerTime)
        self.now = now
    }

    /// An account with its credentials opened, and renewed if they are about to end.
    ///
    /// - Throws: `SubmissionError`, also `.temporary` while another process renews them; `StoreError`; `CryptoError`.
    package func account(_ stored: SealedAccount, for submitter: any Submitter) async throws -> OpenedAccount {
        let account = try opened(stored)
        guard let renewing = submitter as? any RefreshingSubmitter,
            renewal.areEnding(account.credentials, at: renewing)
        else { return account }
        guard let renewed = try await renewal.renew(account, stored, by: renewing) else {
            throw SubmissionError.temporary(Problem(.busy, ProblemParameters(service: submitter.description.name)))
        }
        return renewed
    }

    /// An account with its credentials as they are.
    ///
    /// - Throws: `CryptoError`, `JSONError`.
    package func opened(_ stored: SealedAccount) throws -> OpenedAccount {
        OpenedAccount(
            connection: stored.connection, remoteID: stored.remoteID, name: stored.name,
            credentials: try renewal.credentials(of: stored),
            settings: try JSONValue(parsing: Array(stored.settings.utf8)))
    }

    package var renewal: CredentialRenewal {
        CredentialRenewal(store: store, keys: keys, transport: transport, now: now)
    }

    /// The counts of an account's post at its service, and the lists of who has responded.
    ///
    /// The lists are asked for when the counts have changed since, and once a day: one like that went and one that came leave
    /// the count as it was.
    ///
    /// Without `lists` they are left for another time, and also where they would cost more than `budgetLeft`, in millionths of a dollar.
    ///
    /// - Throws: `StoreError.notFound` when the account is not the owner's; `SubmissionError`; `CryptoError`.
    package func readBack(_ due: PostToCount, lists: Bool = true, budgetLeft: Int64 = .max) async throws -> ReadBack {
        let stored = try await store.account(due.connection, owner: due.owner)
        guard let submitter = registry[stored.service] as? any EngagementSubmitter else { return ReadBack(likes: nil) }
        let account = try await account(stored, for: submitter)
        let post = PublishedPost(
            remoteID: due.remoteID, url: due.url, account: account, transport: transport, now: now)
        let counted: Engagement
        do throws(SubmissionError) { counted = try await submitter.engagement(of: post) } catch {
            // Its responses stay as they were.
            if case .gone = error { return ReadBack(likes: 0) }
            throw error
        }
        var back = ReadBack(likes: counted.likes, counts: [counted.likes, counted.comments, counted.shares])
        back.charge(1, submitter.countPrice)
        guard lists, let submitter = submitter as? any RespondingSubmitter, areListsDue(due, back.counts),
            Self.most(of: counted, at: submitter) <= budgetLeft - submitter.countPrice
        else { return back }
        do throws(SubmissionError) {
            let list = try await submitter.responses(to: post, counted: counted, known: due.known)
                .without(due.parts)
            back.charge(list.found.count, submitter.responsePrice)
            back.responses = list
        } catch {
            var list = ResponseList()
            list.failure = error
            back.responses = list
        }
        return back
    }

    /// The most that the lists of a post may cost, in millionths of a dollar: a page of 100 of each kind. A thread has more than its direct answers, and
    /// shares are two lists.
    private static func most(of counted: Engagement, at submitter: any RespondingSubmitter) -> Int64 {
        [counted.likes, counted.comments, counted.shares].reduce(0) {
            $0 + Int64(min(200, 2 * max(0, $1 ?? 100))) * submitter.responsePrice
        }
    }

    private func areListsDue(_ due: PostToCount, _ counts: [Int32?]) -> Bool {
        let mayHaveAny = !due.known.isEmpty || counts.contains { $0 != 0 }
        guard let listed = due.listed else { return mayHaveAny }
        return listed.counts != counts || mayHaveAny && now().timeIntervalSince(listed.at) > Self.listAge
    }

    /// After so long lists are read although nothing seems to have changed, in seconds.
    private static let listAge: TimeInterval = 86_400
}

/// The counts of a post, and the lists of who has responded to it.
package struct ReadBack: Sendable {
    /// Nil when the service does not tell; 0 when the post is gone.
    package let likes: Int?
    /// Likes, comments and shares.
    package let counts: [Int32?]
    /// Objects that were paid for, and what they cost in millionths of a dollar.
    package private(set) var objects = 0
    package private(set) var cost: Int64 = 0
    /// Nil when the lists were not asked for.
    package fileprivate(set) var responses: ResponseList?

    fileprivate init(likes: Int?, counts: [Int?] = []) {
        self.likes = likes
        self.counts = counts.map { $0.map { Int32(clamping: $0) } }
    }

    fileprivate mutating func charge(_ objects: Int, _ price: Int64) {
        guard price > 0 else { return }
        self.objects += objects
        cost += Int64(objects) * price
    }
}
