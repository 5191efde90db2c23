internal import Crypto
package import Domain
internal import EventLoops
internal import System

/// One of the pictures that a post shows; each is uploaded in steps of its own.
package struct OutgoingPicture: Sendable {
    /// The photo's, which tells the pictures of a post apart.
    package let code: ShortCode
    /// Whether it is the photo that the post is of.
    let isFirst: Bool
    package let altText: String
    /// As the task's `file`, for this picture.
    package let file: @Sendable () async throws(SubmissionError) -> OutgoingFile
    /// As the task's `address`, for this picture.
    package let address: @Sendable () async throws(SubmissionError) -> String
    /// Bytes of this picture that the service has taken so far, of all.
    package let progress: @Sendable (_ sent: Int64, _ total: Int64) -> Void

    /// Makes one that goes along.
    package init(
        code: ShortCode, altText: String, file: @escaping @Sendable () async throws(SubmissionError) -> OutgoingFile,
        address: @escaping @Sendable () async throws(SubmissionError) -> String,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) {
        self.init(
            code: code, isFirst: false, altText: altText, file: file, address: address, progress: progress)
    }

    fileprivate init(
        code: ShortCode, isFirst: Bool, altText: String,
        file: @escaping @Sendable () async throws(SubmissionError) -> OutgoingFile,
        address: @escaping @Sendable () async throws(SubmissionError) -> String,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) {
        self.code = code
        self.isFirst = isFirst
        self.altText = altText
        self.file = file
        self.address = address
        self.progress = progress
    }

    /// Under which key the journal keeps a step of this picture: the same at each attempt, also when another picture of the post
    /// is gone by then.
    func key(_ step: String) -> String { isFirst ? step : "\(step) \(code)" }
}

extension [OutgoingPicture] {
    /// Takes how many bytes of all their files have left in one request, in their order.
    func report(_ sent: Int64, of files: [OutgoingFile]) {
        var left = sent
        for (picture, file) in zip(self, files) where left > 0 {
            picture.progress(Swift.min(left, file.bytes), file.bytes)
            left -= file.bytes
        }
    }
}

extension SubmissionTask {
    /// All pictures of the post, in order; a video alone. A part of a thread has none.
    var pictures: [OutgoingPicture] {
        guard answering == nil else { return [] }
        let first = OutgoingPicture(
            code: photo.code, isFirst: true, altText: altText, file: file, address: address,
            progress: progress)
        return [first] + (photo.isVideo ? [] : companions)
    }
}

/// How far the upload of all pictures of a post has come: the sum of what each has told.
package final class PostProgress: Sendable {
    private let pictures: Lock<[(sent: Int64, total: Int64)]>
    private let report: @Sendable (_ sent: Int64, _ total: Int64) -> Void

    /// Takes the bytes of each picture in order, of the original as long as the copy that leaves is not made, and who is told the
    /// sum.
    package init(_ bytes: [Int64], _ report: @escaping @Sendable (_ sent: Int64, _ total: Int64) -> Void) {
        pictures = Lock(bytes.map { (0, $0) })
        self.report = report
    }

    /// Takes what the picture at `place`, from 0, tells. They are uploaded in order: those before it are there.
    package func report(_ place: Int, sent: Int64, total: Int64) {
        let sum = pictures.withLock { pictures in
            for earlier in 0..<place { pictures[earlier].sent = pictures[earlier].total }
            pictures[place] = (sent, total)
            return pictures.reduce((sent: Int64(0), total: Int64(0))) { ($0.sent + $1.sent, $0.total + $1.total) }
        }
        report(sum.sent, sum.total)
    }
}

extension OutgoingFile {
    /// Reads the file on a thread that may wait; what cannot be read is trouble that passes.
    func read<Value: Sendable>(
        on threads: BlockingThreads, _ body: @escaping @Sendable () throws(ArchiveError) -> Value
    ) async throws(SubmissionError) -> Value {
        do throws(ArchiveError) { return try await threads.run(body) } catch {
            throw .temporary(
                SubmissionProblem(Problem(.fileUnreadable), detail: error.description), retryAfter: nil)
        }
    }

    /// The hash of its bytes from `offset`, `count` of them or all.
    func hash(
        _ algorithm: HashAlgorithm, from offset: Int64 = 0, count: Int64? = nil, on threads: BlockingThreads
    ) async throws(SubmissionError) -> [UInt8] {
        let end = offset + (count ?? bytes - offset)
        return try await read(on: threads) { () throws(ArchiveError) in
            let file = try OwnedDescriptor(opening: path, flags: 0)
            var hash = HashContext(algorithm)
            var position = offset
            while position < end {
                let block = try file.content(at: position, atMost: Int(min(1 << 20, end - position)))
                guard !block.isEmpty else { throw .shortOriginal }
                hash.update(block)
                position += Int64(block.count)
            }
            return hash.finish()
        }
    }

    /// All bytes of a small file.
    func bytes(on threads: BlockingThreads) async throws(SubmissionError) -> [UInt8] {
        try await read(on: threads) { () throws(ArchiveError) in
            let file = try OwnedDescriptor(opening: path, flags: 0)
            let content = try file.content(at: 0, atMost: Int(bytes))
            guard content.count == Int(bytes) else { throw .shortOriginal }
            return Array(content)
        }
    }
}
