internal import Domain
internal import HTTP

extension APIHandlers {
    /// Writes the member `video` of a video: where everybody finds it, and what its header says; nothing for a photo.
    func writeVideo(of photo: Photo, to json: inout JSONWriter) {
        guard photo.kind == .video, let path = PublicVideo.path(of: photo) else { return }
        json.object("video") { json in
            json.member("url", "\(addresses.base)\(path)")
            json.member("media_type", photo.mediaType)
            json.member("width", photo.width)
            json.member("height", photo.height)
            json.member("rotation", photo.video?.rotation ?? 0)
            json.member("frame_rate", JSONValue(photo.video?.frameRate))
            json.member("picture_format", photo.video?.pictureFormat)
            json.member("sound_format", photo.video?.soundFormat)
            json.member("plays_from_start", photo.video?.playsFromStart ?? false)
        }
    }
}
