package import HTTP

/// A `multipart/form-data` body with photos and what is said of them, read as it comes. Texts are collected; the bytes of each part
/// `photo` go where the caller takes them.
package struct PhotoForm {
    private enum Part {
        case none
        case file
        case text(name: String, bytes: [UInt8])
    }

    package private(set) var draft: PhotoDraft
    /// The fields that the caller reads itself, as far as they have come.
    package private(set) var otherFields = FormFields()
    /// Whether there is a file that has no byte so far: browsers send one where none is chosen.
    package var hasEmptyFile: Bool { fileBytes.contains(0) }
    private var fileBytes: [Int64] = []
    private var photos: [IncomingPhoto] = []
    private var parser: MultipartParser
    private let limit: Int
    private let otherNames: Set<String>
    private var part = Part.none
    private var seen: Set<String> = []

    /// Begins behind a query that says something of the photo too. A text may have `limit` bytes; fields of `otherNames` are kept for
    /// the caller.
    ///
    /// - Throws: `InvalidField`.
    package init(
        _ type: MediaType, after query: FormFields = FormFields(), limit: Int, otherNames: Set<String> = []
    ) throws(InvalidField) {
        draft = try PhotoDraft(query, limit: limit, seen: &seen)
        do throws(MultipartError) { parser = try MultipartParser(mediaType: type) } catch {
            throw Self.unreadable(error)
        }
        self.limit = limit
        self.otherNames = otherNames
    }

    /// Takes the next bytes of the body. `begin` is called when a file begins, with the other fields that have come before it.
    ///
    /// - Throws: `InvalidField`, and what `begin` and the photo throw.
    package mutating func feed(
        _ chunk: ArraySlice<UInt8>, begin: (FormFields) throws -> IncomingPhoto
    ) async throws {
        let events: [MultipartParser.Event]
        do throws(MultipartError) { events = try parser.feed(chunk) } catch { throw Self.unreadable(error) }
        for event in events { try await take(event, begin) }
    }

    /// The photos in their order, once the body has ended; `mayHaveNone` where they have come before.
    ///
    /// - Throws: `InvalidField`.
    package mutating func finish(mayHaveNone: Bool = false) throws(InvalidField) -> [IncomingPhoto] {
        do throws(MultipartError) { try parser.finish() } catch { throw Self.unreadable(error) }
        guard !photos.isEmpty || mayHaveNone else { throw .invalid("#/photo", "There is no part named photo.") }
        return photos
    }

    /// Drops what has come.
    package func abandon() async { for photo in photos { await photo.abandon() } }

    private static func unreadable(_ error: MultipartError) -> InvalidField {
        .invalid("#", "The form cannot be read: \(error)")
    }

    private mutating func take(
        _ event: MultipartParser.Event, _ begin: (FormFields) throws -> IncomingPhoto
    ) async throws {
        switch event {
        case .partBegin(let headers):
            if headers.name == "photo" {
                guard photos.count < PhotoDraft.mostPhotos else {
                    throw InvalidField.invalid("#/photo", "A post may have \(PhotoDraft.mostPhotos) photos.")
                }
                photos.append(try begin(otherFields))
                fileBytes.append(0)
                part = .file
            } else {
                guard PhotoDraft.isName(headers.name) || otherNames.contains(headers.name) else {
                    throw PhotoDraft.unknownField(headers.name)
                }
                part = .text(name: headers.name, bytes: [])
            }
        case .bytes(let slice):
            switch part {
            case .none: break
            case .file:
                fileBytes[fileBytes.count - 1] += Int64(slice.count)
                try await photos[photos.count - 1].write(slice)
            case .text(let name, var bytes):
                guard bytes.count + slice.count <= limit else {
                    throw InvalidField.invalid("#/\(name)", "The text may have \(limit) bytes.")
                }
                // The case holds no second reference to the bytes while they grow.
                part = .none
                bytes += slice
                part = .text(name: name, bytes: bytes)
            }
        case .partEnd:
            if case .text(let name, let bytes) = part {
                guard let value = String(validating: bytes, as: UTF8.self) else {
                    throw InvalidField.invalid("#/\(name)", "The text is not UTF-8.")
                }
                if otherNames.contains(name) {
                    otherFields.add(name, value)
                } else {
                    try draft.take(name, value, limit: limit, seen: &seen)
                }
            }
            part = .none
        case .end: break
        }
    }
}
