package import Domain
internal import Logging
package import Store

// What users choose for themselves.
extension UserActions {
    /// Opens or closes a user's gallery.
    ///
    /// - Throws: `StoreError`.
    package func setGallery(of user: User, isOpen: Bool, requestID: String) async throws(StoreError) {
        try await store.setGallery(of: user.id, isOpen)
        logger.notice(isOpen ? "gallery opened" : "gallery closed", ["user": user.name, "request": requestID])
    }

    /// Sets the name that a user's pictures are signed with; nil signs none.
    ///
    /// - Throws: `StoreError`.
    package func setSignature(_ signature: Signature?, of user: UserID) async throws(StoreError) {
        try await store.setSignature(signature?.name, of: user)
    }
}
