internal import Domain
internal import Submitters
internal import Testing

@testable import Jobs

/// Edited and smaller copies: the original is never sent in their place.
@Suite(.timeLimit(.minutes(5)))
struct EditedCopyTests {
    private static let crop: Recipe = {
        var recipe = Recipe()
        recipe.crop = RecipeCrop(x: 0, y: 0, width: 0.4, height: 0.4)
        return recipe
    }()
    /// A caption of 64 KiB of UTF-8, the greatest length.
    private static let words = String(repeating: "é", count: 32 << 10)

    @Test(arguments: [MediaRule.Copy.tagged, .cleaned], [false, true])
    func `an edited picture whose words have no room leaves edited, without them`(
        copy: MediaRule.Copy, keepsPosition: Bool
    ) async throws {
        try await withDarkroom { room in
            let original = try await room.picture("a.jpg", ["-SerialNumber=secret"])
            let rule = MediaRule(copy: copy, pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 24)

            let file = try await room.copy(
                of: original, mediaType: "image/jpeg", rule, keepsPosition: keepsPosition, recipe: Self.crop,
                caption: Self.words)

            #expect(file.width == 64 && file.height == 48)
            let tags = try await room.tags(of: file.path)
            #expect(tags["File:ImageWidth"] == "64" && tags["File:ImageHeight"] == "48")
            #expect(tags["XMP-dc:Description"] == nil && !tags.values.contains("secret"))
            #expect(tags["IFD0:Software"]?.hasPrefix("Pics") == true, "what has room is written")
        }
    }

    @Test(arguments: [MediaRule.Copy.tagged, .cleaned])
    func `a small copy whose words have no room stays small`(copy: MediaRule.Copy) async throws {
        try await withDarkroom { room in
            let original = try await room.picture("a.jpg", size: "1600x1200", [])
            let rule = MediaRule(copy: copy, pictureTypes: ["image/jpeg"], maximumPictureBytes: 1 << 24)

            let file = try await room.copy(
                of: original, mediaType: "image/jpeg", width: 1600, height: 1200, rule, keepsPosition: true,
                look: AccountPicture(quality: .small), caption: Self.words)

            #expect(file.width == 960)
            #expect(try await room.tags(of: file.path)["File:ImageWidth"] == "960")
        }
    }
}
