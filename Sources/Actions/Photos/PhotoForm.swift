package import HTTP

/// A `multipart/form-data` body with a photo and what is said of it, read as it comes. Texts are collected; the bytes of the part
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
    /// The bytes of the file so far.
    package private(set) var fileBytes: Int64 = 0
    private var photo: IncomingPhoto?
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

    /// Takes the next bytes of the body. `begin` is called when the file begins, with the other fields that have come before it.
    ///
    /// - Throws: `InvalidField`, and what `begin` and the photo throw.
    package mutating func feed(
        _ chunk: ArraySlice<UInt8>, begin: (FormFields) throws -> IncomingPhoto
    ) async throws {
        let events: [MultipartParser.Event]
        do throws(MultipartError) { events = try parser.feed(chunk) } catch { throw Self.unreadable(error) }
        for event in events { try await take(event, begin) }
    }

    /// The photo, once the body has ended.
    ///
    /// - Throws: `InvalidField`.
    package mutating func finish() throws(InvalidField) -> IncomingPhoto {
        do throws(MultipartError) { try parser.finish() } catch { throw Self.unreadable(error) }
        guard let photo else { throw .invalid("#/photo", "There is no part named photo.") }
        return photo
    }

    /// Drops what has come.
    package func abandon() async { await photo?.abandon() }

    private static func unreadable(_ error: MultipartError) -> InvalidField {
        .invalid("#", "The form cannot be read: \(error)")
    }

    private mutating func take(
        _ event: MultipartParser.Event, _ begin: (FormFields) throws -> IncomingPhoto
    ) async throws {
        switch event {
        case .partBegin(let headers):
            if headers.name == "photo" {
                guard seen.insert("photo").inserted else {
                    throw InvalidField.invalid("#/photo", "There are two photos.")
                }
                photo = try begin(otherFields)
                part = .file
            } else {
                guard PhotoDraft.names.contains(headers.name) || otherNames.contains(headers.name) else {
                    throw PhotoDraft.unknownField(headers.name)
                }
                part = .text(name: headers.name, bytes: [])
            }
        case .bytes(let slice):
            switch part {
            case .none: break
            case .file:
                fileBytes += Int64(slice.count)
                try await photo?.write(slice)
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
