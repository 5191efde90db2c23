internal import CGExiv2
// GLib itself belongs to the first module that has it.
internal import CVips
internal import Media

/// EXIF, XMP and IPTC of a picture, readable and writable by Exiv2's tag names (exiv2.org/metadata.html).
///
/// Only metadata blocks come here, never a picture's file: the containers are our own.
struct PictureMetadata: ~Copyable {
    /// Bytes in UTF-8. Of a longer one Exiv2 would quietly write nothing into EXIF.
    private static let longestText = 16 << 10

    private let handle: UnsafeMutablePointer<GExiv2Metadata>
    private let byteOrder: GExiv2ByteOrder

    /// Prepares the library; once, before anything else of it.
    static func start() throws(ImagingError) {
        guard gexiv2_initialize() != 0 else { throw .failed(detail: "gexiv2 cannot be initialised") }
        gexiv2_log_set_level(GEXIV2_LOG_LEVEL_MUTE)
        // Known to XMP itself, but not to Exiv2: needed for `xml:lang`.
        gexiv2_metadata_try_register_xmp_namespace("http://www.w3.org/XML/1998/namespace", "xml", nil)
    }

    /// Reads `blocks`.
    ///
    /// - Throws: `.refused(.unsupported)` when one is longer than 64 KiB, `.refused(.damaged)` when they cannot be read.
    init(_ blocks: MetadataBlocks) throws(ImagingError) {
        let file = try JPEGContainer.carrying(blocks)
        // "MM" is Motorola's order, all else counts as Intel's.
        let byteOrder = blocks.exif?.first == UInt8(ascii: "M") ? GEXIV2_BYTE_ORDER_BIG : GEXIV2_BYTE_ORDER_LITTLE
        guard let handle = gexiv2_metadata_new() else { throw .failed(detail: "no memory for metadata") }
        do throws(ImagingError) {
            try Self.check(.damaged) { gexiv2_metadata_open_buf(handle, file, file.count, &$0) }
        } catch {
            g_object_unref(handle)
            throw error
        }
        self.handle = handle
        self.byteOrder = byteOrder
    }

    deinit { g_object_unref(handle) }

    /// A tag's value as text, trimmed; `nil` if it is absent or empty.
    func text(_ tag: String) -> String? {
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let text = gexiv2_metadata_try_get_tag_string(handle, tag, &error) else { return nil }
        defer { g_free(text) }
        let value = String(cString: text).drop(while: \.isWhitespace)
        let end = value.lastIndex { !$0.isWhitespace }
        return end.map { String(value[...$0]) }
    }

    /// Writes a tag; an empty value leaves it as it is. What XML cannot hold (most control characters) is left out.
    ///
    /// - Throws: `.refused(.unsupported)` when the value is too long: beside other tags it has to fit into 64 KiB.
    func set(_ tag: String, _ value: String) throws(ImagingError) {
        let allowed = value.unicodeScalars.filter {
            ($0.value >= 0x20 || $0 == "\n") && !$0.properties.isNoncharacterCodePoint
        }
        let text = String(String.UnicodeScalarView(allowed))
        guard !text.isEmpty else { return }
        guard text.utf8.count <= Self.longestText else {
            throw .refused(.unsupported, detail: "\(tag): \(text.utf8.count) bytes")
        }
        try Self.check(.unsupported) { gexiv2_metadata_try_set_tag_string(handle, tag, text, &$0) }
    }

    /// Writes an XMP property whose value may have languages, in the default one, in place of all there are.
    func setTranslatable(_ tag: String, _ value: String) throws(ImagingError) {
        guard !value.isEmpty else { return }
        remove { $0 == tag || $0.hasPrefix("\(tag)[") }
        // Exiv2 takes a value that begins so for the kind of a list, as the first of these is meant.
        try set(tag, "type=\"Alt\"")
        try set("\(tag)[1]", value.hasPrefix("type=") ? " \(value)" : value)
        try set("\(tag)[1]/?xml:lang", "x-default")
    }

    /// Writes an XMP property that is a list, in place of what there is.
    func setList(_ tag: String, _ values: [String]) throws(ImagingError) {
        gexiv2_metadata_try_clear_tag(handle, tag, nil)
        // Exiv2 adds to a list that is there.
        for value in values { try set(tag, value) }
    }

    /// Writes an XMP property that is a list of structures, without any yet.
    func setBag(_ tag: String) throws(ImagingError) {
        try Self.check(.unsupported) {
            gexiv2_metadata_try_set_xmp_tag_struct(handle, tag, GEXIV2_STRUCTURE_XA_BAG, &$0)
        }
    }

    /// Removes all of XMP, the shells of structures included, which gexiv2 neither lists nor clears one by one.
    func removeXMP() { gexiv2_metadata_clear_xmp(handle) }

    /// Removes the EXIF and XMP tags that `isUnwanted` picks.
    func remove(where isUnwanted: (String) -> Bool) {
        for tag in tags(gexiv2_metadata_get_exif_tags(handle)) + tags(gexiv2_metadata_get_xmp_tags(handle))
        where isUnwanted(tag) {
            // A tag that went together with its parent is gone as wished.
            gexiv2_metadata_try_clear_tag(handle, tag, nil)
        }
    }

    /// EXIF and XMP as they belong into a file; what is empty is `nil`.
    func blocks() throws(ImagingError) -> MetadataBlocks {
        MetadataBlocks(exif: try exif(), xmp: try xmp())
    }

    private func exif() throws(ImagingError) -> [UInt8]? {
        guard gexiv2_metadata_has_exif(handle) != 0 else { return nil }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let data = gexiv2_metadata_get_exif_data(handle, byteOrder, &error) else {
            throw Self.failure(.unsupported, error)
        }
        defer { g_bytes_unref(data) }
        var count: gsize = 0
        let start = g_bytes_get_data(data, &count)
        return count == 0 ? nil : Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    private func xmp() throws(ImagingError) -> [UInt8]? {
        guard gexiv2_metadata_has_xmp(handle) != 0 else { return nil }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let packet = gexiv2_metadata_try_generate_xmp_packet(handle, GEXIV2_USE_COMPACT_FORMAT, 0, &error) else {
            throw Self.failure(.unsupported, error)
        }
        defer { g_free(packet) }
        return Array(String(cString: packet).utf8)
    }

    /// The names in a null-terminated C array, which is freed.
    private func tags(_ names: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
        defer { g_strfreev(names) }
        guard let names else { return [] }
        return (0..<Int(g_strv_length(names))).compactMap { names[$0].map { String(cString: $0) } }
    }

    private static func check(
        _ refusal: Refusal, _ call: (inout UnsafeMutablePointer<GError>?) -> gboolean
    ) throws(ImagingError) {
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard call(&error) != 0 else { throw failure(refusal, error) }
    }

    private static func failure(_ refusal: Refusal, _ error: UnsafeMutablePointer<GError>?) -> ImagingError {
        .refused(refusal, detail: error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "gexiv2")
    }
}
