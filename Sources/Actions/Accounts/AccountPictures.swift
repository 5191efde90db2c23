package import Accounts
internal import Domain
package import EventLoops
internal import Foundation
internal import Glibc
package import HTTP
package import Logging
package import Media
package import Store
internal import Submitters

/// Reads the profile pictures of connected accounts from their services, and keeps small ones: soon after an account is connected,
/// and then each week. Connecting never waits for it, and an account without a picture is as good as any.
///
/// The bytes are a stranger's: they are looked at by a media process alone.
package struct AccountPictures: Sendable {
    private let reader: AccountReader
    private let media: MediaPool
    private let threads: BlockingThreads
    private let folder: String
    private let servers: ServerPolicy
    private let logger: Logger

    private var store: PicsStore { reader.store }

    /// The longest file that is read from a service, in bytes.
    package static let longestFile = 1 << 20
    /// Its longest time on the way.
    private static let timeout = Duration.seconds(10)
    /// Width and height of what is kept, in pixels; CSS shows it at 28.
    package static let side = 128
    /// Until a picture is looked for again.
    private static let life = Duration.seconds(7 * 24 * 3600)
    /// Accounts that are worked on at once, and so often in one go.
    private static let (batch, batches) = (8, 25)
    /// The types that pictures are made of here.
    private static let accepted = "image/webp, image/png, image/jpeg, image/gif;q=0.5"

    /// - Parameters:
    ///   - reader: Opens the credentials of accounts; its transport reads the files.
    ///   - media: The processes that make pictures.
    ///   - threads: To write and read files on.
    ///   - folder: The folder of files that are made and deleted at once.
    ///   - servers: Where pictures may be.
    ///   - logger: Told of pictures that could not be read.
    package init(
        _ reader: AccountReader, media: MediaPool, threads: BlockingThreads, folder: String, servers: ServerPolicy,
        logger: Logger
    ) {
        self.reader = reader
        self.media = media
        self.threads = threads
        self.folder = folder
        self.servers = servers
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
                picture = if let url { try await self.picture(at: url, of: due.owner) } else { nil }
            } catch let error as Unusable {
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

    /// The picture behind an address, as it is kept.
    ///
    /// - Throws: `Unusable` when it will be no other next time.
    private func picture(at url: String, of owner: UserID) async throws -> [UInt8] {
        let file = try await file(at: url)
        guard let type = SniffedType.of(firstBytes: file), !type.isVideo else { throw Unusable("it is no picture") }
        let path = "\(folder)/account-picture-\(UUID().uuidString)"
        defer { threads.start { for file in [path, "\(path)-small"] { unlink(file) } } }
        try await threads.run {
            try Data(file).write(to: URL(filePath: path), options: .withoutOverwriting)
        }
        let rendition = Rendition(
            .square(side: Self.side), .webp, quality: 80, maxBytes: PicsStore.longestAccountPicture)
        do {
            _ = try await media.working(for: owner, .view).render(path, to: "\(path)-small", as: rendition)
        } catch {
            guard case .refused = error else { throw error }
            throw Unusable("\(error)")
        }
        return try await threads.run { Array(try Data(contentsOf: URL(filePath: "\(path)-small"))) }
    }

    private func file(at url: String) async throws -> [UInt8] {
        guard url.isWebAddress, servers.allowsScheme(of: url) else { throw Unusable("its address is not taken") }
        let response: IncomingResponse
        do throws(TransportError) {
            response = try await reader.transport.send(
                OutgoingRequest(
                    url: url, fields: ["Accept": Self.accepted], timeout: Self.timeout,
                    maxResponseBytes: Self.longestFile, followsRedirects: true, addressPolicy: servers.addresses))
        } catch {
            switch error {
            case .refusedAddress, .responseTooLarge: throw Unusable(error.description)
            case .notSent, .unanswered, .cancelled: throw error
            }
        }
        switch response.status.code {
        case 200: return response.body
        case 408, 425, 429, 500...: throw Unanswered(status: response.status.code)
        default: throw Unusable("the answer has the status \(response.status.code)")
        }
    }
}

/// Why there is no picture, whenever it is asked for.
private struct Unusable: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The server has none to give now.
private struct Unanswered: Error, CustomStringConvertible {
    let status: Int

    var description: String { "the answer has the status \(status)" }
}
