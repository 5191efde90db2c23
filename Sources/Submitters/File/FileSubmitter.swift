internal import Domain
package import EventLoops
internal import FoundationEssentials
package import HTTP
internal import Synchronization

/// Keeps a copy of every photo in a folder of its owner, with a sidecar that tells what was said of it.
///
/// The heir of PhotoSubmitter's "File", which wrote to the camera roll.
package struct FileSubmitter: Submitter, DeletingSubmitter {
    package let description = ServiceDescription(
        id: "file", name: "File", credentialFields: [], captionRule: .unlimited,
        mediaRule: MediaRule(
            copy: .tagged,
            pictureTypes: ["image/jpeg", "image/png", "image/webp", "image/gif", "image/heic"],
            maximumPictureBytes: .max, videoTypes: ["video/mp4", "video/quicktime"], maximumVideoBytes: .max),
        lane: LanePolicy(concurrency: 4), takesAltText: true, position: .always,
        hasPictureChoices: false, isOwnArchive: true)

    private let archive: Archive
    private let threads: BlockingThreads

    /// Takes the folder of the archive, whose parent must exist, and the threads that write to it.
    package init(folder: String, threads: BlockingThreads) {
        archive = Archive(root: folder)
        self.threads = threads
    }

    /// There is one archive, and nothing to enter.
    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        ConnectedAccount(remoteID: "archive", name: "archive", credentials: [:], settings: [:])
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        let file = try await task.file()
        guard let name = ArchiveName(task.photo, fileExtension: file.fileExtension) else {
            throw .rejected(.destinationMissing, ProblemParameters(label: "A folder of the archive for this user"))
        }
        var sidecar = XMPSidecar(
            caption: task.text, altText: task.altText, shortURL: task.shortURL, takenAt: task.photo.takenAt,
            createdAt: task.photo.createdAt)
        sidecar.takenOffset = task.photo.takenOffset

        let staged = try await stage(file, sidecar, as: name, progress: task.progress)
        try await task.publish(task.text) { _ throws(SubmissionError) in
            try await onThread { () throws(ArchiveError) in try archive.publish(staged, of: name) }
        }
        return Receipt(remoteID: name.path, url: nil)
    }

    /// The same bytes under the same name: writing them again changes nothing.
    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation { .repeatable }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        guard let name = ArchiveName(path: post.remoteID) else {
            throw .rejected(.postMissing, ProblemParameters(service: "File"))
        }
        try await onThread { [archive] () throws(ArchiveError) in try archive.remove(name) }
    }

    private func stage(
        _ file: OutgoingFile, _ sidecar: XMPSidecar, as name: ArchiveName,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> [String] {
        let isCancelled = Flag()
        let result: Result<[String], SubmissionError> = await withTaskCancellationHandler {
            do throws(SubmissionError) {
                return .success(
                    try await onThread { () throws(ArchiveError) in
                        try archive.stage(
                            file.path, bytes: file.bytes, sidecar: sidecar.packet, as: name,
                            progress: { progress($0, file.bytes) }, isCancelled: { isCancelled.isRaised })
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            isCancelled.raise()
        }
        return try result.get()
    }

    private func onThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws(ArchiveError) -> Value
    ) async throws(SubmissionError) -> Value {
        do throws(ArchiveError) {
            return try await threads.run(work)
        } catch .cancelled {
            throw .cancelled
        } catch {
            // A full disk, a missing right: whoever runs Pics can mend it, and the photo then still wants its copy.
            throw .temporary(
                SubmissionProblem(Problem(.archiveNotWritable), detail: error.description),
                retryAfter: nil)
        }
    }
}

/// Goes up once; read and raised from any thread.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .relaxed) }

    func raise() { value.store(true, ordering: .relaxed) }
}
