/// How long an archive is, and what its end says: filled with its entries in their order.
package struct ZipLayout: Sendable, Equatable {
    /// Of the headers and files so far: where the next entry begins, and in the end the directory.
    package private(set) var offset: Int64 = 0
    /// Of the directory so far.
    package private(set) var directoryLength: Int64 = 0
    package private(set) var count: Int64 = 0

    package init() {}

    /// Notes an entry; its checksum makes no difference.
    package mutating func add(_ entry: ZipEntry) {
        directoryLength += Int64(entry.record(at: offset).count)
        offset += Int64(entry.header.count) + entry.size
        count += 1
    }

    /// Of the whole archive.
    package var length: Int64 { offset + directoryLength + Int64(end.count) }

    /// What comes after the directory (sections 4.3.14 to 4.3.16).
    package var end: [UInt8] {
        var bytes = LittleEndian()
        let isLarge = count >= 0xFFFF || offset >= ZipEntry.limit || directoryLength >= ZipEntry.limit
        if isLarge {
            bytes.four(0x0606_4B50)
            bytes.eight(44)
            bytes.two(3 << 8 | 45)
            bytes.two(45)
            bytes.four(0)
            bytes.four(0)
            bytes.eight(UInt64(count))
            bytes.eight(UInt64(count))
            bytes.eight(UInt64(directoryLength))
            bytes.eight(UInt64(offset))
            bytes.four(0x0706_4B50)
            bytes.four(0)
            bytes.eight(UInt64(offset + directoryLength))
            bytes.four(1)
        }
        bytes.four(0x0605_4B50)
        bytes.two(0)
        bytes.two(0)
        bytes.two(UInt16(clamping: count))
        bytes.two(UInt16(clamping: count))
        bytes.four(UInt32(clamping: directoryLength))
        bytes.four(UInt32(clamping: offset))
        bytes.two(0)
        return bytes.bytes
    }
}
