package import Domain
internal import HTTP
internal import Logging
package import Store

/// Reports of photos, and what admins decide on them.
package struct ReportActions: Sendable {
    private let photos: PhotoActions

    private var store: PicsStore { photos.context.store }

    package init(_ photos: PhotoActions) { self.photos = photos }

    /// The photo that somebody may report: one of somebody else's that they may see.
    ///
    /// - Throws: `StoreError.notFound`, `.gone`.
    package func photo(_ code: ShortCode, for reader: User?) async throws(StoreError) -> PhotoView {
        let view = try await store.photo(code: code, viewer: reader?.id)
        guard view.photo.owner != reader?.id, view.photo.plan == nil else { throw .notFound }
        return view
    }

    /// Keeps a report.
    package func take(_ report: NewReport, requestID: String) async throws(StoreError) {
        try await store.put(report)
        photos.context.logger.notice(
            "photo reported", ["photo": report.photo, "reason": report.reason.rawValue, "request": requestID])
    }

    /// Does with a photo what an admin has decided, as its owner would do it, and closes all reports of it. A process that ends in between leaves
    /// them open.
    ///
    /// - Throws: `StoreError.changed` when none is open, or somebody changes the photo in this moment.
    package func decide(
        _ id: ReportID, _ decision: Report.Decision, note: String, by admin: User, requestID: String
    ) async throws {
        let report = try await store.report(id)
        guard report.decision == nil else { throw StoreError.changed }
        switch decision {
        case .dismissed: break
        case .private: try await makePrivate(report)
        case .deleted:
            do throws(StoreError) {
                try await delete(report, requestID: requestID)
            } catch {
                // Its owner was faster.
                guard error == .notFound || error == .gone else { throw error }
            }
        }
        try await store.decide(report, decision, by: admin.id, note: note)
        photos.context.logger.notice(
            "report decided",
            [
                "photo": report.photo, "decision": decision.rawValue, "owner": report.owner.name, "by": admin.name,
                "request": requestID,
            ])
    }

    private func delete(_ report: Report, requestID: String) async throws(StoreError) {
        for page in try await store.deletePhoto(report.photo, owner: report.owner.id) {
            photos.context.pageChanged(page)
        }
        photos.context.wakeWorkers()
        photos.context.logger.info("photo deleted", ["photo": report.photo, "request": requestID])
    }

    private func makePrivate(_ report: Report) async throws {
        let photo: Photo
        do throws(StoreError) {
            photo = try await photos.ownPhoto(report.photo, of: report.owner)
        } catch {
            guard error == .notFound || error == .gone else { throw error }
            return
        }
        guard photo.visibility != .private else { return }
        let draft = try PhotoEditDraft(["visibility": "private"], limit: photos.context.limits.textBytes)
        try await photos.edit(photo, draft, by: report.owner) { _ in }
    }
}
