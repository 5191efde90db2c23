import MediaSamples
import TestTools
import Testing

@testable import Media

/// A picture with a random choice of the metadata that cameras, phones and programs write. All private metadata, which copies
/// must not have, contains the word `secret` or is a position.
struct PrivatePicture: CustomTestStringConvertible {
    enum Part: CaseIterable {
        case position, positionInXMP, serialNumber, lensSerialNumber, owner, sameInXMP, makerNote, thumbnail,
            description
        case place, persons, history, comment, unknownBlock, trailer
        case artist, copyright, profile, time, orientation

        /// The tags that exiftool writes for it, into any picture.
        var tags: [String] {
            switch self {
            case .position:
                [
                    "-GPSLatitude=59.3293", "-GPSLatitudeRef=N", "-GPSLongitude=18.0686", "-GPSLongitudeRef=W",
                    "-GPSAltitude=12", "-GPSAltitudeRef=0", "-GPSImgDirection=42", "-GPSDateStamp=2026:11:20",
                    "-GPSAreaInformation=secret", "-GPSSpeed=3",
                ]
            case .positionInXMP: ["-XMP:GPSLatitude=59.3293", "-XMP:GPSLongitude=18.0686", "-XMP:GPSAltitude=12"]
            case .serialNumber: ["-EXIF:SerialNumber=secret1234567", "-IFD0:CameraSerialNumber=secret"]
            case .lensSerialNumber: ["-EXIF:LensSerialNumber=secret1234567"]
            case .owner: ["-EXIF:OwnerName=secret Doe", "-IFD0:HostComputer=secret's phone"]
            case .sameInXMP:
                [
                    "-XMP-aux:SerialNumber=secret", "-XMP-aux:LensSerialNumber=secret", "-XMP-aux:OwnerName=secret",
                    "-XMP-exifEX:OwnerName=secret", "-XMP-exifEX:SerialNumber=secret",
                ]
            case .description:
                [
                    "-EXIF:ImageDescription=secret", "-EXIF:UserComment=secret", "-XMP-dc:Description=secret",
                    "-XMP-dc:Title=secret", "-XMP-dc:Subject=secret", "-IFD0:XPComment=secret", "-IFD0:XPAuthor=secret",
                ]
            case .place: ["-XMP:City=secret", "-XMP:Location=secret", "-XMP-iptcExt:LocationCreatedCity=secret"]
            case .persons:
                [
                    "-XMP:PersonInImage=secret", "-XMP-mwg-rs:RegionName=secret",
                    "-XMP-MP:RegionPersonDisplayName=secret",
                ]
            case .history:
                [
                    "-XMP-xmpMM:DocumentID=secret", "-XMP-xmpMM:HistorySoftwareAgent=secret",
                    "-EXIF:ImageUniqueID=secret",
                ]
            case .artist: ["-EXIF:Artist=secret", "-XMP-dc:Creator=secret"]
            case .copyright: ["-EXIF:Copyright=© Åsa", "-XMP-dc:Rights=© Åsa"]
            case .time: ["-EXIF:DateTimeOriginal=2026:11:20 10:11:12", "-EXIF:OffsetTimeOriginal=+01:00"]
            case .orientation: ["-Orientation=6"]
            case .makerNote, .thumbnail, .comment, .unknownBlock, .trailer, .profile: []
            }
        }
    }

    let seed: Int
    let format: Rendition.Format
    let parts: Set<Part>

    /// The same picture for the same number.
    init(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        self.seed = seed
        format = [Rendition.Format.jpeg, .png, .webp][seed % 3]
        parts = Set(Part.allCases.filter { _ in Bool.random(using: &random) })
    }

    var testDescription: String { "\(seed) \(format) \(parts.map { "\($0)" }.sorted())" }

    /// Makes the file; its path.
    func make(at bench: Workbench) async throws -> String {
        let picture = try await bench.picture("a.\(format.rawValue)", .flag, format)
        var tags = parts.flatMap(\.tags)
        if parts.contains(.thumbnail), format != .png {
            let thumbnail = try await bench.picture("thumbnail.jpg", .plain(16, 16, [9, 9, 9, 255]), .jpeg)
            tags.append("-IFD1:ThumbnailImage<=\(thumbnail)")
        }
        if parts.contains(.profile) {
            tags.append("-ICC_Profile<=\(try bench.file("profile.icc", Samples.swappedProfile))")
        }
        if parts.contains(.comment) {
            switch format {
            case .jpeg: tags += ["-Comment=secret", "-IPTC:City=secret", "-IPTC:Caption-Abstract=secret"]
            case .png:
                tags += ["-PNG:Comment=secret", "-PNG:Author=secret", "-PNG:Software=secret", "-PNG:Title=secret"]
            case .webp, .avif: break
            }
        }
        if parts.contains(.makerNote) { tags += try await makerNote(at: bench) }
        if !tags.isEmpty { try await bench.write(tags, into: picture) }
        return try bench.file("b.\(format.rawValue)", spoilt(try bench.bytes(of: picture)))
    }

    /// A maker's note of nobody's, which exiftool takes over from another file as it is.
    private func makerNote(at bench: Workbench) async throws -> [String] {
        let exif = ExifSample(photo: [0x927C: .text("NOBODY's notes: serial number secret 1234567, 59.3293 N")])
        let source = try bench.file("notes.png", exif.png)
        return ["-TagsFromFile", source, "-MakerNotes"]
    }

    /// The file with blocks that no program knows.
    private func spoilt(_ file: [UInt8]) -> [UInt8] {
        let secret = Array("a secret of 16 B".utf8)
        var file = file
        switch format {
        case .jpeg:
            if parts.contains(.unknownBlock) {
                file.insert(contentsOf: [0xEB, 0xE6].flatMap { JPEGBytes.segment($0, secret) }, at: 2)
            }
        case .png:
            if parts.contains(.unknownBlock) {
                file.insert(contentsOf: PixelGrid.chunk("sECr", secret) + PixelGrid.chunk("caNv", secret), at: 33)
            }
        case .webp:
            if parts.contains(.unknownBlock) {
                file += Array("SECR".utf8) + PixelGrid.bigEndian(secret.count).reversed() + secret
                file.replaceSubrange(4..<8, with: PixelGrid.bigEndian(file.count - 8).reversed())
            }
        case .avif: break
        }
        return file + (parts.contains(.trailer) ? secret : [])
    }

    /// The compressed pixels.
    func pixels(of file: [UInt8]) -> [UInt8] {
        switch format {
        case .jpeg: JPEGBytes.scan(of: file)
        case .png: PNGBytes.chunk("IDAT", in: file) ?? []
        case .webp: WebPBytes.picture(of: file)
        case .avif: []
        }
    }
}
