/// What a `pics-media` process is for; a process of one role can do nothing of the other.
package enum MediaRole: String, Sendable {
    /// Answers all but `frame`. It starts no program and opens no file.
    case pictures
    /// Answers `frame` alone, for which it starts ffmpeg.
    case videos
}
