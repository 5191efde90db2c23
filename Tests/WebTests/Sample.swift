import Domain
import EventLoops
import Foundation
import HTTP
import Store
import Submitters
import Testing

@testable import Web

let standardRegistry: Registry = {
    let threads = BlockingThreads(name: "facts", count: 1)
    defer { threads.stop() }
    return Registry.standard(SubmitterConfiguration(archive: "", threads: threads, servers: .publicOnly))
}()

/// A page as a test wants it.
func document(
    caption: String = "", altText: String = "", owner: String = "alice", posts: [PublicPost] = [],
    camera: String? = nil, visibility: Visibility = .public, likes: (here: Int, elsewhere: Int) = (0, 0),
    isLiked: Bool = false, language: Language = .english,
    size: (width: Int, height: Int) = (3000, 2000), processing: Photo.Processing = .done
) throws -> CaptionDocument {
    let code = try #require(ShortCode("Ab3dE9xZ"))
    let photo = Photo(
        id: .make(), owner: .make(), code: code, kind: .photo,
        blob: try #require(BlobID([UInt8](repeating: 7, count: 32))), mediaType: "image/jpeg", bytes: 1,
        width: size.width, height: size.height, video: nil, takenAt: Date(timeIntervalSince1970: 1_795_165_872),
        position: nil, caption: caption, altText: altText,
        visibility: visibility, likeCount: likes.here, networkLikeCount: likes.elsewhere, version: 1,
        createdAt: Date(timeIntervalSince1970: 1_795_200_000), deletedAt: nil, processing: processing)
    return CaptionDocument(
        shown: CaptionPageView(
            view: PhotoView(photo: photo, owner: owner, isLiked: isLiked), posts: posts,
            context: CaptionPageContext(timeZone: "Europe/Stockholm", camera: camera)),
        language: language, isLiked: isLiked, addresses: Addresses(base: "https://pics.example"),
        serviceName: { $0 }, entityPages: { standardRegistry[$0]?.description.entityPages })
}

extension CaptionDocument {
    var text: String { page.html.markup }
}
