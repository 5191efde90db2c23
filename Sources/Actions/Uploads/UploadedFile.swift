package import Blobs
package import Domain
internal import FoundationEssentials
internal import Media
package import Store

/// The content behind the address of an uploaded file.
package enum UploadedFile: Sendable {
    /// A copy of the picture without place and names (`StripRules`); the file of it goes with its last reader.
    case picture(OpenBlob, mediaType: String)
    /// It has become this photo, which everybody may see.
    case photo(Photo)
}

extension UploadActions {
    /// Notes what the file of an upload is that has arrived whole, by its content; the media type it declared is replaced. What is no
    /// picture and no video is deleted.
    ///
    /// - Throws: `ActionError.unsupportedMediaType`; `MediaError`.
    @discardableResult
    package func identify(_ id: UploadID, of user: User) async throws -> Upload {
        do {
            let firstBytes = try await context.uploadFiles.firstBytes(256, of: id.uuid)
            guard let type = SniffedType.of(firstBytes: firstBytes) else { throw ActionError.unsupportedMediaType }
            _ = try await context.media.working(for: user.id).probe(
                try await context.uploadFiles.wholeFile(of: id.uuid))
            try await store.setMediaType(type.mediaType, of: id)
        } catch {
            // After a fault of ours the file is looked at another time.
            switch error {
            case ActionError.unsupportedMediaType, MediaError.refused: try await delete(id, of: user)
            default: break
            }
            throw error
        }
        return try await store.upload(id, owner: user.id)
    }

    /// An upload that may have a picture to show, for whoever knows its identifier.
    ///
    /// - Throws: `StoreError.notFound` also for one that has not arrived.
    package func shownUpload(_ id: UploadID) async throws(StoreError) -> Upload {
        let upload = try await store.upload(id)
        guard upload.part != .partial, upload.state == .complete || upload.photo != nil else { throw .notFound }
        return upload
    }

    /// The picture of an upload with what `StripRules` keeps, of the same type but for HEIC, which becomes a JPEG. Bytes
    /// that cannot be cleaned are not given out; of a video there is nothing.
    ///
    /// - Throws: `StoreError.notFound`; `MediaError` for what cannot be cleaned; `BlobError`.
    package func picture(of upload: Upload) async throws -> UploadedFile {
        if let photo = upload.photo { return try await self.photo(photo, of: upload.owner) }
        guard try await context.uploadFiles.bytes(of: upload.id.uuid) != nil else { throw StoreError.notFound }
        let path = photos.temporaryPath("upload")
        let source = try await context.uploadFiles.wholeFile(of: upload.id.uuid)
        let media = context.media.working(for: upload.owner, .view)
        do {
            let facts = try await media.probe(source)
            guard facts.kind == .photo else { throw StoreError.notFound }
            var mediaType = facts.mediaType
            if mediaType == SniffedType.heic.mediaType {
                let side = PublicRendition.large.side
                mediaType = try await media.render(source, to: path, as: Rendition(.inside(maxSide: side), .jpeg))
                    .mediaType
            } else {
                try await media.strip(source, to: path)
            }
            return .picture(try await context.blobs.open(removing: path), mediaType: mediaType)
        } catch {
            await context.blobs.remove(filesAt: [path])
            // It may have become a photo meanwhile.
            if let photo = try await store.upload(upload.id).photo {
                return try await self.photo(photo, of: upload.owner)
            }
            throw error
        }
    }

    private func photo(_ id: PhotoID, of owner: UserID) async throws(StoreError) -> UploadedFile {
        let photo: Photo
        do throws(StoreError) { photo = try await store.photo(id, viewer: owner).photo } catch {
            throw error == .gone ? .notFound : error
        }
        guard photo.visibility != .private else { throw .notFound }
        return .photo(photo)
    }
}
