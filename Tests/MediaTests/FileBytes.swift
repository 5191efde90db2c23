import MediaSamples

/// A look into JPEG files, independent of the code that is tested.
enum JPEGBytes {
    /// From the last start of scan to the last end of image.
    static func scan(of file: [UInt8]) -> [UInt8] {
        let starts = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        let ends = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xD9 }
        guard let start = starts.last, let end = ends.last, start < end else { return [] }
        return Array(file[start..<end + 2])
    }

    /// The file with bytes before the tables of its second scan: no compressed pixels hold this marker.
    static func inserting(_ bytes: [UInt8], betweenScansOf file: [UInt8]) -> [UInt8] {
        guard let scan = file.firstRange(of: [0xFF, 0xDA])?.lowerBound,
            let tables = file[scan...].firstRange(of: [0xFF, 0xC4])?.lowerBound
        else { return [] }
        return Array(file[..<tables]) + bytes + Array(file[tables...])
    }

    /// A segment with its marker and length.
    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }
}

/// A look into PNG files, independent of the code that is tested.
enum PNGBytes {
    /// The content of the first chunk of this type.
    static func chunk(_ type: String, in file: [UInt8]) -> [UInt8]? {
        var offset = 8
        while offset + 8 <= file.count {
            let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            if Array(file[offset + 4..<offset + 8]) == Array(type.utf8) {
                return Array(file[offset + 8..<offset + 8 + length])
            }
            offset += 12 + length
        }
        return nil
    }
}

/// A look into WebP files, independent of the code that is tested.
enum WebPBytes {
    /// The chunk of the compressed pixels.
    static func picture(of file: [UInt8]) -> [UInt8] {
        guard let start = file.firstRange(of: Array("VP8 ".utf8))?.lowerBound else { return [] }
        let length = file[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        return Array(file[start..<start + 8 + length + length % 2])
    }

    /// A file of nothing but the compressed pixels.
    static func simple(_ file: [UInt8]) -> [UInt8] {
        let picture = picture(of: file)
        return Array("RIFF".utf8) + PixelGrid.bigEndian(picture.count + 4).reversed() + Array("WEBP".utf8) + picture
    }
}
