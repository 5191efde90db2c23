internal import FoundationEssentials

/// The limits of one `pics-media` process. It sets these limits on itself before it looks at a file.
package struct MediaLimits: Codable, Sendable, Equatable {
    /// Memory that belongs to the process alone (RLIMIT_DATA), in bytes.
    package var memoryBytes: Int
    /// Processor time for one request (RLIMIT_CPU), in seconds.
    package var processorSeconds: Int
    /// The longest file it may write (RLIMIT_FSIZE) or take into memory, in bytes.
    package var fileBytes: Int
    /// Open descriptors (RLIMIT_NOFILE).
    package var openFiles: Int
    /// Pixels a picture may have, all frames that would be decoded together.
    package var pixels: Int
    /// Threads that work on one picture.
    package var threads: Int

    package init(
        memoryBytes: Int = 1 << 30, processorSeconds: Int = 30, fileBytes: Int = 256 << 20, openFiles: Int = 64,
        pixels: Int = 200_000_000, threads: Int = 1
    ) {
        self.memoryBytes = memoryBytes
        self.processorSeconds = processorSeconds
        self.fileBytes = fileBytes
        self.openFiles = openFiles
        self.pixels = pixels
        self.threads = threads
    }

    /// Reads the text of `argument`.
    ///
    /// - Throws: `DecodingError` for any other text.
    package init(argument: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(argument.utf8))
    }

    /// The one command-line argument of `pics-media`.
    package var argument: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
