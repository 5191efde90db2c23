internal import CVips
internal import Media

/// libvips in this process: started once, before the first picture.
enum Vips {
    /// Starts libvips with five loaders and no cache.
    ///
    /// All that can read is blocked first and the five are let through by name, so that a loader of a later version or of a
    /// plug-in stays shut (libvips manual, `vips_operation_block_set`).
    static func start(threads: Int) throws(ImagingError) {
        guard vips_init("pics-media") == 0 else { throw takeError() }
        vips_concurrency_set(Int32(max(1, threads)))
        vips_cache_set_max(0)
        vips_operation_block_set("VipsForeignLoad", 1)
        for loader in ["Jpeg", "Png", "Webp", "Nsgif", "Heif"] {
            vips_operation_block_set("VipsForeignLoad\(loader)", 0)
        }
        vips_block_untrusted_set(1)
    }

    /// The last complaint of libvips, as an error; its memory of it is cleared.
    static func takeError() -> ImagingError {
        let text = String(cString: vips_error_buffer())
        vips_error_clear()
        // libvips has no error codes; running out of memory is known by its text alone.
        let isMemory = text.lowercased().contains("out of memory")
        return .refused(isMemory ? .tooCostly : .damaged, detail: text)
    }
}

/// One reference to a GObject, given back exactly once.
struct VipsHandle<Object>: ~Copyable {
    let pointer: UnsafeMutablePointer<Object>

    /// Takes over the reference; throws what libvips says when there is none.
    init(owning pointer: UnsafeMutablePointer<Object>?) throws(ImagingError) {
        guard let pointer else { throw Vips.takeError() }
        self.pointer = pointer
    }

    /// Takes over what a C function made that answers with a status and writes its result.
    init(_ make: (inout UnsafeMutablePointer<Object>?) -> Int32) throws(ImagingError) {
        var made: UnsafeMutablePointer<Object>?
        guard make(&made) == 0 else { throw Vips.takeError() }
        try self.init(owning: made)
    }

    deinit { g_object_unref(pointer) }
}
