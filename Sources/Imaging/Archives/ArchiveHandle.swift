internal import CArchive
internal import Glibc
internal import Media

/// An archive that is read entry by entry from an open file. The C functions are `archive_read_new` and `archive_read_free`.
struct ArchiveHandle: ~Copyable {
    private let archive: OpaquePointer
    /// The number of the entry that was read last; -1 before the first.
    private(set) var number = -1
    /// Behind what cannot be read there is nothing.
    private var failure: ArchiveError?
    private var hasEnded = false

    /// Reads from `descriptor`, which stays the caller's and open.
    ///
    /// ZIP with its directory at the end, which also says where one ends that was cut off; tar as it is or packed by gzip. Every other
    /// reader of libarchive stays out.
    init(_ descriptor: Int32) throws(ArchiveError) {
        guard let archive = archive_read_new() else { throw .failed }
        archive_read_support_filter_gzip(archive)
        archive_read_support_format_tar(archive)
        archive_read_support_format_zip_seekable(archive)
        guard archive_read_open_fd(archive, descriptor, Self.blockLength) == ARCHIVE_OK else {
            archive_read_free(archive)
            throw .unreadable
        }
        self.archive = archive
    }

    deinit { archive_read_free(archive) }

    /// The next file; nil at the end. Entries that are no files are passed.
    mutating func next() throws(ArchiveError) -> ArchiveEntry? {
        while true {
            if let failure { throw failure }
            if hasEnded { return nil }
            var entry: OpaquePointer?
            let code = archive_read_next_header(archive, &entry)
            if code == ARCHIVE_EOF {
                hasEnded = true
                continue
            }
            guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else {
                failure = number < 0 ? .unreadable : .cutOff
                continue
            }
            number += 1
            if let file = Self.file(entry, number) { return file }
        }
    }

    private static func file(_ entry: OpaquePointer, _ number: Int) -> ArchiveEntry? {
        // AE_IFREG. A hard link has the bytes of another entry.
        guard archive_entry_filetype(entry) == 0o100000, archive_entry_hardlink(entry) == nil,
            let path = archive_entry_pathname(entry)
        else { return nil }
        let length = strnlen(path, ArchiveEntry.longestName + 1)
        guard (1...ArchiveEntry.longestName).contains(length) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: path, count: length)
        // Names in no known encoding keep their bytes as characters.
        let name =
            String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
        return ArchiveEntry(
            number: number, name: name,
            size: archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil,
            modified: archive_entry_mtime_is_set(entry) != 0 ? Int64(archive_entry_mtime(entry)) : nil,
            isEncrypted: archive_entry_is_data_encrypted(entry) != 0)
    }

    /// Writes the bytes of the file that `next` has told to `output`, from `start` on; returns how many.
    func write(to output: Int32, at start: Int64, limit: Int64) throws(ArchiveError) -> Int64 {
        var end: Int64 = 0
        while true {
            var (block, count, offset): (UnsafeRawPointer?, Int, Int64) = (nil, 0, 0)
            switch archive_read_data_block(archive, &block, &count, &offset) {
            case ARCHIVE_EOF: return end
            case ARCHIVE_OK: break
            default: throw .damaged
            }
            guard offset >= 0, offset <= limit, Int64(count) <= limit - offset else { throw .tooLong }
            var (rest, place) = (UnsafeRawBufferPointer(start: block, count: count)[...], start + offset)
            while !rest.isEmpty {
                let written = pwrite(
                    output, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(place))
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw .failed }
                rest = rest.dropFirst(written)
                place += Int64(written)
            }
            end = max(end, offset + Int64(count))
        }
    }

    private static let blockLength = 256 << 10
}
