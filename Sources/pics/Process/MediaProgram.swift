import FoundationEssentials
import Glibc
import Logging
import Settings

/// The program that opens pictures: the one that `media_program` names, else `pics-media` beside `pics`.
struct MediaProgram {
    let path: String

    init(_ configuration: Configuration) {
        path =
            configuration[PicsSettings.mediaProgram]?.text
            ?? URL(filePath: Program.path).deletingLastPathComponent().appending(path: "pics-media").path
    }

    /// Says at the start what else nobody would know before somebody looks at a video: it gets no poster without ffmpeg, which
    /// `pics-media` expects where Debian has it. All else works.
    static func noteMissingFFmpeg(_ logger: Logger) {
        guard access("/usr/bin/ffmpeg", X_OK) != 0 else { return }
        logger.warning("videos get no posters: there is no ffmpeg at /usr/bin/ffmpeg")
    }

    /// Finds out at the start what else the first photo would.
    func check() throws(CommandFailure) {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            throw CommandFailure(
                "The program that opens pictures is not at \(path). Build pics-media beside pics, or name it in "
                    + "media_program.")
        }
        guard facts.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else {
            throw CommandFailure(
                "\(path) should open pictures and cannot be executed. Name the program pics-media in media_program.")
        }
    }
}
