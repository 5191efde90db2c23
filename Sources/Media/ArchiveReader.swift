internal import Glibc
internal import System

/// An archive that a process of `pics-media` reads from its begin to its end, as it reads pictures: without secrets, network or files but
/// those that it is given. Every call waits for it, so it is made on a blocking thread, one after the other.
package final class ArchiveReader: Sendable {
    private let child: MediaChild
    private let deadline: Duration
    private let hasEnded = Lock(false)

    /// Starts a process, and gives it the archive at `path`; no file of the archive may be longer than `longest` bytes.
    init(_ path: String, program: String, limits: MediaLimits, longest: Int64) throws(ArchiveError) {
        var limits = limits
        limits.memoryBytes = min(limits.memoryBytes, Self.memoryBytes)
        limits.processorSeconds = Self.processorSeconds
        limits.fileBytes = Int(clamping: longest)
        deadline = .seconds(2 * Self.processorSeconds)
        let files: MediaFiles
        do throws(MediaError) {
            files = try MediaFiles(inputs: [path], outputs: [])
            child = try MediaChild.spawn(program, as: .archives, limits: limits)
        } catch {
            throw .failed
        }
        defer { withExtendedLifetime(files) {} }
        guard case .opened = try ask(.open, descriptors: files.descriptors) else { throw .failed }
    }

    deinit { close() }

    /// The next files; none at the end. When the last of them is a text, with a name that ends in one of `texts`, `extract` writes it.
    package func entries(texts: [String]) throws(ArchiveError) -> [ArchiveEntry] {
        guard case .entries(let entries) = try ask(.list(texts: texts)) else { throw .failed }
        return entries
    }

    /// Goes on to the file of a number; false when there is none.
    package func seek(to number: Int) throws(ArchiveError) -> Bool {
        guard case .entries(let entries) = try ask(.seek(number)) else { throw .failed }
        return entries.first?.number == number
    }

    /// Writes the file that was told last at the end of the open file `output`; returns its bytes.
    ///
    /// - Throws: `.tooLong` when it has more than `limit`; something may have been written then.
    package func extract(to output: Int32, limit: Int64) throws(ArchiveError) -> Int64 {
        guard case .extracted(let bytes) = try ask(.extract(limit: limit), descriptors: [output]) else { throw .failed }
        return bytes
    }

    /// Ends the process. What is asked after it fails.
    package func close() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        child.kill()
        _ = child.reap()
    }

    private func ask(_ request: ArchiveRequest, descriptors: [Int32] = []) throws(ArchiveError) -> ArchiveReply {
        guard !hasEnded.withLock({ $0 }) else { throw .failed }
        let bytes: [UInt8]
        do { bytes = try MediaMessage.encode(request) } catch { throw .failed }
        switch child.ask(bytes, descriptors: descriptors, until: .now.advanced(by: deadline)) {
        case .answered(let answer):
            let reply: ArchiveReply
            do { reply = try MediaMessage.decode(ArchiveReply.self, from: answer) } catch { throw .failed }
            if case .refused(let error) = reply { throw error }
            return reply
        case .silent, .died:
            throw .tooCostly
        }
    }

    /// An unpacker needs little.
    private static let memoryBytes = 256 << 20
    /// For one request: going on to a file far behind unpacks all before it in a tar.gz.
    private static let processorSeconds = 1800
}

extension MediaPool {
    /// Opens an archive: ZIP, or tar that may be packed by gzip. Waits; a process of its own reads it until it is closed.
    package func archive(at path: String, longest: Int64) throws(ArchiveError) -> ArchiveReader {
        try ArchiveReader(path, program: workers.program, limits: workers.limits, longest: longest)
    }
}
