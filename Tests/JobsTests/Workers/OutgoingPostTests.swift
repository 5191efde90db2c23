internal import Blobs
internal import Crypto
internal import Domain
internal import Foundation
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@testable import Jobs

/// The files of a post with several photos.
@Suite(.timeLimit(.minutes(5)))
struct OutgoingPostTests {
    private static func service(_ maximumPictures: Int) -> ScriptedSubmitter {
        ScriptedSubmitter(
            media: MediaRule(
                pictureTypes: ["image/jpeg", "image/gif"], maximumPictureBytes: 1 << 20,
                maximumPictures: maximumPictures))
    }

    @Test func `each picture of a post leaves without secrets, in order, no more than the service takes`() async throws
    {
        let service = Self.service(3)
        let left = Box<[Left]>([])
        service.play { task throws(SubmissionError) in
            let first = try await task.file()
            task.progress(first.bytes, first.bytes)
            let content = await SharedParts.content(of: first.path)
            left.update { $0.append(Left(content, first.mediaType, task.altText)) }
            for picture in task.companions {
                let file = try await picture.file()
                picture.progress(file.bytes, file.bytes)
                let content = await SharedParts.content(of: file.path)
                left.update { $0.append(Left(content, file.mediaType, picture.altText)) }
            }
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withDarkroom { room in
            let secrets = ["-GPSLatitude=59.3293", "-GPSLatitudeRef=N", "-SerialNumber=secret", "-OwnerName=secret"]
            let names = ["a.jpg", "b.jpg", "c.gif", "d.jpg"]
            var pictures: [[UInt8]] = []
            for name in names { pictures.append(try room.bytes(of: try await room.picture(name, secrets))) }
            try await withBench(service, media: room.media) { [pictures] bench in
                let id = try await bench.submit(pictures, names, to: try await bench.connect())
                _ = bench.start()
                #expect(try await bench.ended(id).state == .done)
                // No copy stays.
                try await until {
                    try FileManager.default.contentsOfDirectory(atPath: bench.context.copiesFolder) == ["blobs"]
                }
            }

            #expect(left.value.map(\.altText) == ["a.jpg", "b.jpg", "c.gif"])
            #expect(left.value.allSatisfy { $0.mediaType == "image/jpeg" }, "what moves goes alone")
            for (place, picture) in left.value.enumerated() {
                let path = room.path("left-\(place).jpg")
                try #require(picture.content).write(to: URL(filePath: path))
                let tags = try await room.tags(of: path)
                #expect(tags.keys.filter { $0.contains("GPS") } == [] && !tags.values.contains("secret"))
                #expect(tags["IFD0:ImageDescription"] == "Caption of \(names[place])")
            }
        }
    }

    @Test(arguments: [false, true])
    func `a file says no more than the account may be told`(hasOwnText: Bool) async throws {
        let service = Self.service(2)
        let left = Box<[Data?]>([])
        service.play { task throws(SubmissionError) in
            for file in [try await task.file()] + [try await task.companions[0].file()] {
                let content = await SharedParts.content(of: file.path)
                left.update { $0.append(content) }
            }
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withDarkroom { room in
            let picture = try room.bytes(of: try await room.picture("a.jpg", []))
            try await withBench(service, media: room.media) { bench in
                let account = try await bench.connect(settings: hasOwnText ? "{}" : #"{"caption": false}"#)
                let id = try await bench.submit([picture, picture], ["a.jpg", "b.jpg"], to: account)
                if hasOwnText { try await bench.sql("UPDATE submissions SET own_text = 'For this account'") }
                _ = bench.start()
                #expect(try await bench.ended(id).state == .done)
            }
            var captions: [String?] = []
            for (place, content) in left.value.enumerated() {
                let path = room.path("left-\(place).jpg")
                try #require(content).write(to: URL(filePath: path))
                captions.append(try await room.tags(of: path)["IFD0:ImageDescription"])
            }
            #expect(captions == (hasOwnText ? ["For this account", "Caption of b.jpg"] : [nil, nil]))
        }
    }

    @Test func `a service that takes one picture gets the photo alone`() async throws {
        let service = Self.service(1)
        let companions = Box<[Int]>([])
        service.play { task throws(SubmissionError) in
            companions.update { $0.append(task.companions.count) }
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withDarkroom { room in
            let picture = try room.bytes(of: try await room.picture("a.jpg", []))
            try await withBench(service, media: room.media) { bench in
                let id = try await bench.submit(
                    [picture, picture], ["a.jpg", "b.jpg"], to: try await bench.connect())
                _ = bench.start()
                #expect(try await bench.ended(id).state == .done)
            }
        }
        #expect(companions.value == [0])
    }

    @Test func `the progress of a post is the sum of its pictures'`() {
        let told = Box<[String]>([])
        let progress = PostProgress([10, 20, 30]) { sent, total in told.update { $0.append("\(sent) of \(total)") } }

        progress.report(0, sent: 4, total: 8)
        progress.report(1, sent: 5, total: 20)
        progress.report(2, sent: 29, total: 29)

        #expect(told.value == ["4 of 58", "13 of 58", "57 of 57"])
    }
}

/// A picture as a service has got it.
private struct Left: Sendable {
    let content: Data?
    let mediaType: String
    let altText: String

    init(_ content: Data?, _ mediaType: String, _ altText: String) {
        (self.content, self.mediaType, self.altText) = (content, mediaType, altText)
    }
}

extension Bench {
    /// Stores photos, of which the first is to go to an account with the others.
    fileprivate func submit(
        _ pictures: [[UInt8]], _ names: [String], to connection: AccountID
    ) async throws -> SubmissionID {
        var companions: [PhotoID] = []
        for (picture, name) in zip(pictures, names).dropFirst() {
            let photo = try await photo(picture, name)
            try await store.create(photo, submissions: [])
            companions.append(photo.id)
        }
        let photo = try await photo(pictures[0], names[0], with: companions)
        let plan = PlannedCaption(text: "Harbour", isCut: false, length: 7, limit: 140, unit: .codePoints)
        let submission = NewSubmission(
            id: .make(), connection: connection, plan: plan, bytes: photo.bytes, maximumAttempts: 12,
            maximumAge: .seconds(86_400))
        try await store.create(photo, submissions: [submission])
        return submission.id
    }

    private func photo(
        _ picture: [UInt8], _ name: String, with companions: [PhotoID] = []
    ) async throws -> NewPhoto {
        let blob = try await context.blobs.put(picture)
        return NewPhoto(
            id: .make(), owner: owner.id, code: .make(), blob: try #require(BlobID(blob.digest.bytes)),
            bytes: blob.bytes, mediaType: name.hasSuffix("gif") ? "image/gif" : "image/jpeg", kind: .photo, width: 160,
            height: 120, takenAt: nil, position: Position(latitude: 40.6892, longitude: -74.0445), exif: "{}",
            caption: "Caption of \(name)", altText: name, visibility: .public, companions: companions)
    }
}
