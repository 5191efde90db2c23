internal import Blobs
internal import Domain
internal import Logging
internal import Store

extension API {
    /// Makes the photos of uploads that had arrived when a process ended before it could. Whoever sent them does not come back:
    /// it may have sent all, or have heard so.
    ///
    /// Each becomes one photo, whoever else does the same: in a process the desk lets one work on it, between processes the
    /// lock of its file, and in the end `use_upload` marks it in the photo's transaction.
    package func publishArrivedUploads() async throws {
        var last: UploadID?
        repeat {
            let page = try await store.unpublishedUploads(after: last, limit: 100)
            for upload in page where !Task.isCancelled { await publishArrived(upload) }
            last = page.last?.id
        } while last != nil && !Task.isCancelled
    }

    private func publishArrived(_ upload: Upload) async {
        do {
            // Before anybody is disturbed who sends to it now.
            guard try await uploads.bytes(of: upload.id.uuid) == upload.length else { return }
            let user = try await store.user(upload.owner)
            try await desk.work(on: upload.id, isCancellable: false) {
                let file = try await self.openFile(of: upload)
                defer { withExtendedLifetime(file) {} }
                guard try await self.settled(upload.id, user, nil).photo != nil else { return }
                self.logger.notice("an upload of an earlier process is a photo now", ["upload": upload.id])
            }
        } catch {
            logger.warning("an upload is no photo yet", ["upload": upload.id, "error": logText(of: error)])
        }
    }
}
