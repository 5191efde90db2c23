package import Domain
package import EventLoops
internal import FoundationEssentials
internal import Glibc
package import HTTP
package import Media
internal import Store

/// Makes small pictures of those that other servers have: squares that stand for accounts and authors, and what a timeline shows.
///
/// The bytes are a stranger's: they are looked at by a media process alone.
package struct SmallPictures: Sendable {
    private let transport: any Transport
    private let media: MediaPool
    private let threads: BlockingThreads
    private let folder: String
    private let servers: ServerPolicy

    /// The picture that is made.
    private let rendition: Rendition
    /// The longest file that is read, in bytes.
    private let longestFile: Int

    /// The longest file that a face is made of, in bytes.
    package static let longestFile = 1 << 20
    /// Its longest time on the way.
    private static let timeout = Duration.seconds(10)
    /// Width and height of what is kept, in pixels; CSS shows it at 28.
    package static let side = 128
    /// The types that pictures are made of here.
    private static let accepted = "image/webp, image/png, image/jpeg, image/gif;q=0.5"

    /// - Parameters:
    ///   - transport: Reads the files.
    ///   - media: The processes that make pictures.
    ///   - threads: To write and read files on.
    ///   - folder: The folder of files that are made and deleted at once.
    ///   - servers: Where pictures may be.
    ///   - rendition: What is made; a face unless something else is said.
    ///   - longestFile: In bytes.
    package init(
        transport: any Transport, media: MediaPool, threads: BlockingThreads, folder: String, servers: ServerPolicy,
        rendition: Rendition = Rendition(.square(side: Self.side), .webp, quality: 80, maxBytes: KeptPicture.longest),
        longestFile: Int = Self.longestFile
    ) {
        self.rendition = rendition
        self.longestFile = longestFile
        self.transport = transport
        self.media = media
        self.threads = threads
        self.folder = folder
        self.servers = servers
    }

    /// The picture behind an address, as it is kept.
    ///
    /// - Throws: `UnusablePicture` when it will be no other next time.
    package func picture(at url: String, for owner: UserID) async throws -> [UInt8] {
        let file = try await file(at: url)
        guard let type = SniffedType.of(firstBytes: file), !type.isVideo else {
            throw UnusablePicture("it is no picture")
        }
        let path = "\(folder)/small-picture-\(UUID().uuidString)"
        defer { threads.start { for file in [path, "\(path)-small"] { unlink(file) } } }
        try await threads.run {
            try Data(file).write(to: URL(filePath: path), options: .withoutOverwriting)
        }
        do {
            _ = try await media.working(for: owner, .view).render(path, to: "\(path)-small", as: rendition)
        } catch {
            guard case .refused = error else { throw error }
            throw UnusablePicture("\(error)")
        }
        return try await threads.run { Array(try Data(contentsOf: URL(filePath: "\(path)-small"))) }
    }

    private func file(at url: String) async throws -> [UInt8] {
        guard url.isWebAddress, servers.allowsScheme(of: url) else {
            throw UnusablePicture("its address is not taken")
        }
        let response: IncomingResponse
        do throws(TransportError) {
            response = try await transport.send(
                OutgoingRequest(
                    url: url, fields: ["Accept": Self.accepted], timeout: Self.timeout,
                    maxResponseBytes: longestFile, followsRedirects: true, addressPolicy: servers.addresses))
        } catch {
            switch error {
            case .refusedAddress, .responseTooLarge: throw UnusablePicture(error.description)
            case .notSent, .unanswered, .cancelled: throw error
            }
        }
        switch response.status.code {
        case 200: return response.body
        case 408, 425, 429, 500...: throw Unanswered(status: response.status.code)
        default: throw UnusablePicture("the answer has the status \(response.status.code)")
        }
    }
}

/// Why there is no picture, whenever it is asked for.
package struct UnusablePicture: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// The server has none to give now.
private struct Unanswered: Error, CustomStringConvertible {
    let status: Int

    var description: String { "the answer has the status \(status)" }
}
