package import Accounts
internal import Domain
internal import HTTP
package import Logging
package import Store
internal import Submitters

/// Reads the profile pictures of connected accounts from their services, and keeps small ones: soon after an account is connected,
/// and then each week. Connecting never waits for it, and an account without a picture is as good as any.
package struct AccountPictures: Sendable {
    private let reader: AccountReader
    private let maker: SmallPictures
    private let logger: Logger

    private var store: PicsStore { reader.store }

    /// Until a picture is looked for again.
    private static let life = Duration.seconds(7 * 24 * 3600)
    /// Accounts that are worked on at once, and so often in one go.
    private static let (batch, batches) = (8, 25)

    /// - Parameters:
    ///   - reader: Opens the credentials of accounts.
    ///   - maker: Reads the files, and makes pictures of them.
    ///   - logger: Told of pictures that could not be read.
    package init(_ reader: AccountReader, maker: SmallPictures, logger: Logger) {
        self.reader = reader
        self.maker = maker
        self.logger = logger
    }

    /// The address to keep of an account's `picture`, and the pause until the picture is read; nil: it never is.
    static func plan(
        _ picture: ProfilePicture, of submitter: any Submitter
    ) -> (url: String?, dueAfter: Duration?) {
        let isAsked = submitter is any PictureSubmitter
        return switch picture {
        case .at(let url) where url.isWebAddress: (url, .zero)
        case .at, .missing: (nil, isAsked ? life : nil)
        case .untold: (nil, isAsked ? .zero : nil)
        }
    }

    /// Reads the pictures that are due, of at most 200 accounts.
    ///
    /// - Returns: How many accounts have a picture now.
    @discardableResult
    package func readDue() async throws(StoreError) -> Int {
        var count = 0
        for _ in 0..<Self.batches {
            let due = try await store.claimAccountPictures(limit: Self.batch)
            count += await withTaskGroup(of: Bool.self) { group in
                for account in due { group.addTask { await read(account) } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            if due.count < Self.batch { break }
        }
        return count
    }

    /// Reads one. What may go another time is left to the next claim.
    private func read(_ due: DueAccountPicture) async -> Bool {
        let submitter = reader.registry[due.account.service] as? any PictureSubmitter
        let pause = submitter.map { _ in Self.life }
        do {
            let picture: [UInt8]?
            do {
                let url = try await address(of: due, at: submitter)
                picture = if let url { try await maker.picture(at: url, for: due.owner) } else { nil }
            } catch let error as UnusablePicture {
                note(error, of: due)
                picture = nil
            }
            try await store.keepPicture(picture, of: due, dueAfter: pause)
            return picture != nil
        } catch {
            note(error, of: due)
            return false
        }
    }

    private func note(_ error: any Error, of due: DueAccountPicture) {
        logger.info(
            "no profile picture",
            ["connection": due.account.connection, "service": due.account.service, "error": logText(of: error)])
    }

    /// The address of the picture; nil: the account has none. After a failure the service is asked for a new address.
    private func address(of due: DueAccountPicture, at submitter: (any PictureSubmitter)?) async throws -> String? {
        if let url = due.url, due.failures == 0 || submitter == nil { return url }
        guard let submitter else { return nil }
        let account = try await reader.account(due.account, for: submitter)
        do throws(SubmissionError) {
            return try await submitter.picture(of: account, over: reader.transport)
        } catch {
            if case .gone = error { return nil }
            throw error
        }
    }
}
