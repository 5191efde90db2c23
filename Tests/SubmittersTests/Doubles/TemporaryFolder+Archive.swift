internal import Crypto
internal import Domain
internal import Foundation
internal import Submitters
internal import TestTools

/// Photos, and the archive of the file service, in a folder of a test.
extension TemporaryFolder {
    /// A photo of `alice` in the folder.
    func photo(
        _ content: [UInt8], mediaType: String, at time: Date, position: Position? = nil, name: String = "original",
        size: PictureSize = .camera
    ) throws -> SamplePhoto {
        let file = "\(path)/\(name)"
        try Data(content).write(to: URL(fileURLWithPath: file))
        return SamplePhoto(
            photo: OutgoingPhoto(
                isVideo: mediaType.hasPrefix("video/"), code: .make(), owner: "alice",
                takenAt: time.addingTimeInterval(-86_400), createdAt: time, position: position),
            file: OutgoingFile(
                path: file, bytes: Int64(content.count), mediaType: mediaType, width: size.width, height: size.height))
    }

    // MARK: The archive in it

    /// From the archive's root, pictures only, in order.
    var archivedPaths: [String] {
        let names = FileManager.default.enumerator(atPath: "\(path)/archive")?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".mp4") }.sorted()
    }

    /// Everything in the archive that is neither a folder, a picture nor a sidecar.
    var archivedRemains: [String] {
        let names = FileManager.default.enumerator(atPath: "\(path)/archive")?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".part") }
    }

    var archivedPictures: [String] {
        archivedPaths.map { SHA256Digest(of: contents("archive/\($0)")).hex }
    }

    var archivedCaptions: [String] {
        archivedPaths.map { XMPReading(contents("archive/\($0).xmp")).texts["dc:description"] ?? "" }
    }

    var archivedAltTexts: [String] {
        archivedPaths.map { XMPReading(contents("archive/\($0).xmp")).texts["Iptc4xmpCore:AltTextAccessibility"] ?? "" }
    }

    func contents(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: "\(path)/\(name)").map { Array($0) } ?? []
    }
}
