/// One of the parts that a body consists of.
package enum BodyPiece: Sendable {
    /// These bytes.
    case bytes(ArraySlice<UInt8>)
    /// A part of a file.
    case file(FileBody)

    var length: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let file): file.length
        }
    }
}

extension ResponseBody {
    /// The length, if any part of the body can be sent without the rest.
    var seekableLength: Int64? {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let file): file.length
        case .empty, .pieces, .stream: nil
        }
    }

    /// A part of a body that has a `seekableLength`, which the part is within. Nothing is copied.
    func piece(from offset: Int64, length: Int64) -> BodyPiece {
        switch self {
        case .bytes(let bytes): .bytes(bytes[Int(offset)..<Int(offset + length)])
        case .file(let file): .file(FileBody(file.file, offset: file.offset + offset, length: length))
        case .empty, .pieces, .stream: .bytes([])
        }
    }
}
