internal import Blobs
internal import EventLoops
internal import Submitters
internal import System

/// The file of one attempt, made when a submitter first asks for it: an attempt that goes on from its journal may need none.
actor LazyCopy {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private nonisolated let copy: OutgoingCopy
    private nonisolated let publish: @Sendable (OutgoingFile) async throws(SubmissionError) -> String
    private nonisolated let check: @Sendable () async throws(SubmissionError) -> Void
    private nonisolated let isBegun = Lock(false)
    private var made: OutgoingFile?
    private var address: String?

    /// Takes how the copy is made; `check` throws when the photo's file must not be used. `publish` makes the address at which the copy can be
    /// fetched.
    init(
        _ copy: OutgoingCopy, loop: EventLoop, check: @escaping @Sendable () async throws(SubmissionError) -> Void,
        publish: @escaping @Sendable (OutgoingFile) async throws(SubmissionError) -> String
    ) {
        self.publish = publish
        self.copy = copy
        self.check = check
        self.loop = loop
    }

    /// The file that leaves, the same each time; a submitter asks once at a time.
    func file() async throws(SubmissionError) -> OutgoingFile {
        if let made { return made }
        try await check()
        isBegun.withLock { $0 = true }
        let file = try await copy.make()
        made = file
        return file
    }

    /// The address at which the file can be fetched, the same each time.
    func fetchAddress() async throws(SubmissionError) -> String {
        if let address { return address }
        let address = try await publish(try await file())
        self.address = address
        return address
    }

    /// Deletes the copy, if one was asked for; for the end of the attempt.
    nonisolated func discard() async {
        if isBegun.withLock(\.self) { await copy.threads.remove([copy.destination]) }
    }
}
