internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension APIHandlers {
    /// The value of `Repr-Digest` for a client that wants to compare the whole file that became a photo with its own.
    ///
    /// Source: RFC 9530, section 4; draft-ietf-httpbis-resumable-upload, "Integrity Digests".
    ///
    /// - Returns: `nil` when SHA-256 is not wanted, or the upload has given way to a photo that was there before.
    func wantedDigest(_ request: HTTPRequest, of upload: Upload) async throws(StoreError) -> String? {
        let preferences = request.fields["Want-Repr-Digest"]?.split(separator: ",") ?? []
        // A weight of 0 means "rather not".
        guard preferences.contains(where: { $0.wholeMatch(of: /\s*sha-256=([1-9]|10)\s*/) != nil }) else { return nil }
        do throws(StoreError) {
            guard let photo = try await store.upload(upload.id, owner: upload.owner).photo else { return nil }
            let digest = try await store.photo(photo, viewer: upload.owner).photo.blob.digest
            return "sha-256=:\(digest.base64):"
        } catch {
            guard error == .notFound || error == .gone else { throw error }
            return nil
        }
    }
}
