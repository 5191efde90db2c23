internal import Domain
internal import FoundationEssentials
internal import HTTP

// Playlists, and the one of all uploads.
extension YouTubeAPI {
    private static let mostPages = Album.longestList / 50

    /// `GET /playlists?mine=true`.
    func playlists() async throws(SubmissionError) -> [Album] {
        var albums: [Album] = []
        _ = try await pages(
            "playlists", ["part": "snippet", "mine": "true", "maxResults": "50"], most: Self.mostPages
        ) { items in
            albums += items.compactMap { playlist in
                playlist["id"]?.string.map { Album(id: $0, name: playlist["snippet"]?["title"]?.string ?? "") }
            }
            return albums.count < Album.longestList
        }
        return Array(albums.prefix(Album.longestList))
    }

    /// `POST /playlists`.
    func createPlaylist(_ title: String, visibility: String) async throws(SubmissionError) -> Album {
        let response = try await api.send(
            .post, "\(Self.path)/playlists?part=snippet,status",
            json: ["snippet": ["title": .string(title)], "status": ["privacyStatus": .string(visibility)]])
        guard let id = try success(response)["id"]?.string else { throw client.malformed(response) }
        return Album(id: id, name: title)
    }

    /// `POST /playlistItems`, unless the video is there: a second request would put it in twice.
    ///
    /// - Throws: `.temporary` for a video that is not known there yet.
    func add(_ video: String, to playlist: String) async throws(SubmissionError) {
        let query: FormFields = ["part": "id", "playlistId": playlist, "videoId": video, "maxResults": "1"]
        let there = try await api.send(.get, "\(Self.path)/playlistItems?\(query.encoded)")
        if YouTubeRefusal(there).reason != "videoNotFound" {
            guard try items(there).isEmpty else { return }
        }
        let added = try await api.send(
            .post, "\(Self.path)/playlistItems?part=snippet",
            json: [
                "snippet": [
                    "playlistId": .string(playlist),
                    "resourceId": ["kind": "youtube#video", "videoId": .string(video)],
                ]
            ])
        if YouTubeRefusal(added).reason == "videoNotFound" {
            throw .temporary(client.problem(.stillProcessing, added), retryAfter: .seconds(30))
        }
        // One that another request has put in meanwhile is there.
        guard YouTubeRefusal(added).reason != "videoAlreadyInPlaylist" else { return }
        guard added.status.isSuccess else { throw failure(added) }
    }

    /// The longest look through a channel's uploads, in pages of 50.
    private static let longestLook = 10

    /// The video that was uploaded as a file of this name, without its ending, among the channel's uploads since `start`.
    ///
    /// `fileDetails.fileName` "can only be retrieved by the video's owner".
    func video(ofFile name: String, in uploads: String, since start: Date) async throws(SubmissionError) -> Video? {
        var found: Video?
        _ = try await pages(
            "playlistItems", ["part": "snippet,contentDetails", "playlistId": uploads, "maxResults": "50"],
            most: Self.longestLook
        ) { items throws(SubmissionError) in
            let times = items.map { $0["snippet"]?["publishedAt"]?.string.flatMap { Timestamp($0)?.date } ?? start }
            let ids = zip(items, times).compactMap { item, time in
                time >= start ? item["contentDetails"]?["videoId"]?.string.flatMap { Self.isID($0) ? $0 : nil } : nil
            }
            guard !ids.isEmpty else { return false }
            let response = try await get("videos", ["part": "fileDetails", "id": ids.joined(separator: ",")])
            found = try self.items(response).first { video in
                video["fileDetails"]?["fileName"]?.string?.split(separator: ".").first.map(String.init) == name
            }.flatMap { Video($0) }
            return found == nil && ids.count == items.count
        }
        return found
    }
}
