internal import Domain
internal import Foundation
internal import HTTP
internal import Submitters
internal import Testing

@testable import Jobs

/// The effect of an owner's choices on the pictures sent to an account.
@Suite(.timeLimit(.minutes(5)))
struct AccountPictureTests {
    private let rule = MediaRule(pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 24)

    @Test(arguments: [
        (AccountPicture.Quality.original, 3000, 1500), (.large, 2048, 1024), (.medium, 1280, 640), (.small, 960, 480),
    ])
    func `a picture leaves no larger than its quality says`(
        quality: AccountPicture.Quality, width: Int, height: Int
    ) async throws {
        try await withDarkroom { room in
            let original = try await room.fog(width: 3000, height: 1500)

            let copy = try await room.copy(
                of: original, mediaType: "image/jpeg", width: 3000, height: 1500, rule,
                look: AccountPicture(quality: quality))

            #expect(copy.width == width && copy.height == height && copy.mediaType == "image/jpeg")
            let (whole, left) = (try room.bytes(of: original).count, try room.bytes(of: copy.path).count)
            #expect(quality == .original || left < whole)
        }
    }

    @Test(arguments: [MediaRule.Copy.cleaned, .tagged])
    func `a picture that is small already goes as it is`(copy: MediaRule.Copy) async throws {
        try await withDarkroom { room in
            let original = try await room.fog(width: 960, height: 640)
            let rule = MediaRule(copy: copy, pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 24)

            let file = try await room.copy(
                of: original, mediaType: "image/jpeg", width: 960, height: 640, rule,
                look: AccountPicture(quality: .small))

            #expect(file.width == 960)
            #expect(try await room.range(of: file.path) == room.range(of: original))
        }
    }

    @Test(arguments: [MediaRule.Copy.cleaned, .tagged])
    func `an enhanced picture uses the whole range of tones, the original stays`(copy: MediaRule.Copy) async throws {
        try await withDarkroom { room in
            let original = try await room.fog(width: 640, height: 480)
            let before = try room.bytes(of: original)
            let rule = MediaRule(copy: copy, pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 24)

            let file = try await room.copy(
                of: original, mediaType: "image/jpeg", width: 640, height: 480, rule,
                look: AccountPicture(isEnhanced: true))

            #expect(try await room.range(of: original) < 120)
            #expect(try await room.range(of: file.path) > 200)
            #expect(try room.bytes(of: original) == before)
        }
    }

    @Test func `where originals are kept nothing was chosen`() {
        let settings: JSONValue = ["quality": "small", "auto_enhance": true]
        func look(_ hasChoices: Bool) -> AccountPicture {
            AccountPicture(
                settings,
                ServiceDescription(
                    id: "x", name: "X", credentialFields: [], captionRule: .unlimited, mediaRule: rule,
                    lane: LanePolicy(concurrency: 1), takesAltText: false, hasPictureChoices: hasChoices))
        }

        #expect(look(true) == AccountPicture(quality: .small, isEnhanced: true))
        #expect(look(false) == AccountPicture())
    }
}

extension Darkroom {
    /// A JPEG whose tones lie in the middle of the range.
    fileprivate func fog(width: Int, height: Int) async throws -> String {
        let path = path("\(UUID().uuidString).jpg")
        _ = try await output(
            of: "vips", ["grey", path + ".v", String(width), String(height)])
        _ = try await output(of: "vips", ["linear", path + ".v", path + "2.v", "100", "78"])
        _ = try await output(of: "vips", ["cast", path + "2.v", path + "3.v", "uchar"])
        _ = try await output(of: "vips", ["bandjoin", "\(path)3.v \(path)3.v \(path)3.v", path])
        return path
    }

    /// How far the brightest tone is from the darkest.
    fileprivate func range(of picture: String) async throws -> Double {
        func value(_ operation: String) async throws -> Double {
            let text = String(decoding: try await output(of: "vips", [operation, picture]), as: UTF8.self)
            return try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        return try await value("max") - value("min")
    }
}
