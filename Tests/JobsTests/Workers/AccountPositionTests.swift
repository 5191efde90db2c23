internal import Blobs
internal import Crypto
internal import Domain
internal import Foundation
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@testable import Jobs

/// The effect of an account's position setting on the files sent to it.
@Suite(.timeLimit(.minutes(5)))
struct AccountPositionTests {
    @Test(arguments: [#"{"keep_position":false}"#, "{}"])
    func `where originals are kept, the position leaves only if its owner said so`(settings: String) async throws {
        let service = ScriptedSubmitter(
            media: MediaRule(copy: .tagged, pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 20),
            position: .chosen)
        let left = Box<[Data]>([])
        service.play { task throws(SubmissionError) in
            let file = try await task.file()
            let content = await SharedParts.content(of: file.path)
            left.update { $0.append(content ?? Data()) }
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withDarkroom { room in
            let noted = ["-GPSLatitude=59.3293", "-GPSLatitudeRef=N", "-XMP:GPSLatitude=59.3293", "-XMP:City=secret"]
            let picture = try room.bytes(of: try await room.picture("a.jpg", noted))
            try await withBench(service, media: room.media) { bench in
                let id = try await bench.submit(picture, to: try await bench.connect(settings: settings))
                _ = bench.start()
                #expect(try await bench.ended(id).state == .done)
            }
            try #require(left.value.first).write(to: URL(filePath: room.path("left.jpg")))

            let tags = try await room.tags(of: room.path("left.jpg"))
            #expect(tags.keys.filter { $0.contains("GPS") } == [] && !tags.values.contains("secret"))
            #expect(tags["IFD0:ImageDescription"] == "Harbour")
        }
    }

    @Test(arguments: [
        (#"{"keep_position":true}"#, "N", "W"), (#"{"keep_position":false}"#, nil, nil),
        (#"{"keep_position":null}"#, nil, nil),
        (#"{"keep_position":"yes"}"#, nil, nil), ("{}", nil, nil),
    ])
    func `the position leaves only for an account whose owner said so`(
        settings: String, north: String?, east: String?
    ) async throws {
        let service = ScriptedSubmitter(
            media: MediaRule(pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 20))
        let left = Box<[Data]>([])
        service.play { task throws(SubmissionError) in
            let file = try await task.file()
            let content = await SharedParts.content(of: file.path)
            left.update { $0.append(content ?? Data()) }
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withDarkroom { room in
            let picture = try room.bytes(of: try await room.picture("a.jpg", ["-SerialNumber=secret"]))
            try await withBench(service, media: room.media) { bench in
                let id = try await bench.submit(picture, to: try await bench.connect(settings: settings))
                _ = bench.start()
                #expect(try await bench.ended(id).state == .done)
            }
            try #require(left.value.first).write(to: URL(filePath: room.path("left.jpg")))

            let tags = try await room.tags(of: room.path("left.jpg"))
            #expect(tags["GPS:GPSLatitudeRef"] == north && tags["GPS:GPSLongitudeRef"] == east)
            #expect(tags.keys.contains { $0.contains("GPS") } == (north != nil))
            #expect(tags["ExifIFD:SerialNumber"] == nil)
            #expect(tags["IFD0:ImageDescription"] == "Harbour" && tags["IFD0:Software"] == Software.name)
            #expect(tags["XMP-dc:Identifier"]?.hasPrefix("https://pics.test/") == true)
            #expect(tags["ExifIFD:DateTimeOriginal"] == "2026:11:20 09:11:12")
            #expect(tags["ExifIFD:OffsetTimeOriginal"] == "+00:00")
        }
    }
}

extension Bench {
    /// Stores a photo that was taken at a place, which the picture itself does not tell, and that is to go to an account.
    fileprivate func submit(_ picture: [UInt8], to connection: AccountID) async throws -> SubmissionID {
        let blob = try await context.blobs.put(picture)
        let id = SubmissionID.make()
        let photo = NewPhoto(
            id: .make(), owner: owner.id, code: .make(), blob: try #require(BlobID(blob.digest.bytes)),
            bytes: blob.bytes, mediaType: "image/jpeg", kind: .photo, width: 160, height: 120,
            takenAt: Date(timeIntervalSince1970: 1_795_165_872),
            position: Position(latitude: 40.6892, longitude: -74.0445), exif: "{}", caption: "Harbour",
            altText: "", visibility: .public)
        let plan = PlannedCaption(text: "Harbour", isCut: false, length: 7, limit: 140, unit: .codePoints)
        let submission = NewSubmission(
            id: id, connection: connection, plan: plan, bytes: blob.bytes, maximumAttempts: 12,
            maximumAge: .seconds(86_400))
        try await store.create(photo, submissions: [submission])
        return id
    }
}
