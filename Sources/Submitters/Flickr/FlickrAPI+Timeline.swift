internal import Domain
internal import Formats
internal import FoundationEssentials
package import HTTP

/// Photos of those whom an account follows, and its favourites among them.
///
/// Source: flickr.com/services/api, "flickr.photos.getContactsPhotos", "flickr.favorites.add" and "remove"; read 2026-11-26.
extension FlickrAPI {
    /// `flickr.photos.getContactsPhotos`: the newest 50. There is no page behind them.
    func contactsPhotos() async throws(SubmissionError) -> [FoundPost] {
        let (response, json) = try await call(
            "flickr.photos.getContactsPhotos",
            ["count": "50", "extras": "date_upload,owner_name,icon_server,description,url_m,url_l"])
        guard let photos = json["photos"]?["photo"]?.array else { throw client.malformed(response) }
        return photos.compactMap(Self.post).sorted { $0.saidAt > $1.saidAt }
    }

    private static func post(_ photo: JSONValue) -> FoundPost? {
        guard let id = photo["id"]?.string, let nsid = photo["owner"]?.string,
            let seconds = photo["dateupload"]?.double ?? photo["dateupload"]?.string.flatMap({ Double($0) })
        else { return nil }
        let user = photo["username"]?.string ?? photo["ownername"]?.string ?? nsid
        let (title, words) = (content(photo["title"]) ?? "", content(photo["description"]) ?? "")
        let size = { (name: String) in photo[name]?.int ?? photo[name]?.string.flatMap { Int64($0) } }
        let picture = AttachedMedia(
            .picture, url: photo["url_l"]?.string ?? photo["url_m"]?.string, previewURL: photo["url_m"]?.string,
            altText: title, width: size("width_l") ?? size("width_m"), height: size("height_l") ?? size("height_m"))
        let page = "https://www.flickr.com/photos/\(PercentEncoding.encode(nsid))/"
        return FoundPost(
            key: id, remoteID: id,
            author: FoundAuthor(
                key: nsid, name: photo["ownername"]?.string ?? user, handle: user, url: page,
                pictureURL: icon(of: photo, nsid: nsid)),
            text: [title, HTMLText.plain(words)].filter { !$0.isEmpty }.joined(separator: "\n"),
            url: "\(page)\(PercentEncoding.encode(id))/", saidAt: Date(timeIntervalSince1970: seconds),
            media: [picture].compactMap(\.self))
    }

    /// `flickr.favorites.add` or `remove`; one that is there already, or not there any more, is no error.
    func setFavourite(_ photo: String, to isWanted: Bool) async throws(SubmissionError) {
        try await ignoring([isWanted ? 3 : 1]) { () throws(SubmissionError) in
            _ = try await call(
                "flickr.favorites.\(isWanted ? "add" : "remove")", ["photo_id": photo], .post, .publishing)
        }
    }
}

extension FlickrSubmitter: TimelineSubmitter {
    package func timeline(
        of account: OpenedAccount, after cursor: String?, over transport: any Transport
    ) async throws(SubmissionError) -> FoundTimeline {
        let posts = try await api(of: account, over: transport, now: now).contactsPhotos()
        return FoundTimeline(posts: posts, next: nil, end: posts.last?.saidAt)
    }
}
