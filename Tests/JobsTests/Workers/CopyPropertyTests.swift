internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
internal import Media
internal import Submitters
internal import TestTools
internal import Testing

@testable import Jobs

/// Copies whose steps fail: the file that is sent is the copy that was asked for, or none is sent.
@Suite(.timeLimit(.minutes(5)))
struct CopyPropertyTests {
    private static let services = Registry.standard(
        SubmitterConfiguration(
            archive: "/nowhere", threads: BlockingThreads(name: "unused", count: 1),
            servers: .any)
    ).submitters

    @Test func `no failure of a step lets anything else leave than was asked for`() async throws {
        let folder = NSTemporaryDirectory() + "pics-copies-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var outcomes: [String: Int] = [:]
        for seed in 0..<150 * Self.services.count {
            var random = SplitMix64(seed: UInt64(seed))
            let wish = try Wish(seed: seed, service: Self.services[seed % Self.services.count], in: folder, &random)
            let outcome = try await wish.check()
            outcomes[outcome, default: 0] += 1
            let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("-plain") }
            try #require(left == [], "seed \(seed)")
        }
        // The test is worth something only if all of it happens.
        for outcome in ["original", "stripped", "rendered", "none"] { #expect(outcomes[outcome] ?? 0 > 50) }
    }

    @Test(arguments: 0..<8)
    func `the real tools agree`(seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let part = Double.random(in: 0.2...0.9, using: &random)
        var recipe = Recipe()
        recipe.crop = RecipeCrop(x: 0, y: 0, width: part, height: part)
        let rule = Self.services[Int.random(in: 0..<Self.services.count, using: &random)].description.mediaRule
        let isKept = Bool.random(using: &random)
        let words = String(repeating: "ö", count: [0, 100, 9_000, 32 << 10][Int.random(in: 0..<4, using: &random)])
        try await withDarkroom { [recipe] room in
            let original = try await room.picture(
                "a.jpg", size: "1200x900", ["-GPSLatitude=1", "-GPSLatitudeRef=N", "-OwnerName=secret"])

            let file = try await room.copy(
                of: original, mediaType: "image/jpeg", width: 1200, height: 900,
                position: Position(latitude: 40, longitude: 30), rule, keepsPosition: isKept,
                look: AccountPicture(quality: .small), recipe: recipe, caption: words)

            let tags = try await room.tags(of: file.path)
            let longest = min(960, 1200 * part)
            let width = try #require(tags["File:ImageWidth"].flatMap { Double($0) })
            #expect(abs(width - longest) <= 2 && file.width == Int(width))
            #expect(tags["GPS:GPSLatitude"].flatMap { Double($0) }.map { $0.rounded() } == (isKept ? 40 : nil))
            #expect(!tags.values.contains("secret"))
        }
    }
}

/// A photo, an account, and tools that fail somewhere.
private struct Wish {
    let seed: Int
    let photo: Photo
    let rule: MediaRule
    let keepsPosition: Bool
    let look: AccountPicture
    /// Whether the photo is where its file says; else its owner has given another place.
    let isOwnPosition: Bool
    let tools: FailingTools
    let original: String
    let destination: String

    init(
        seed: Int, service: any Submitter, in folder: String, _ random: inout SplitMix64
    ) throws {
        func flip() -> Bool { Bool.random(using: &random) }
        let types = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "video/mp4"]
        let type = types[Int.random(in: 0..<types.count, using: &random)]
        let isVideo = type == "video/mp4"
        var recipe = Recipe()
        recipe.crop = RecipeCrop(x: 0, y: 0, width: 0.5, height: 0.5)
        let length = [0, 20, 9_000, 20_000, 64 << 10][Int.random(in: 0..<5, using: &random)]
        var chosen: JSONObject = ["share": .bool(flip()), "quality": flip() ? "small" : "original"]
        if flip() {
            chosen["keep_position"] = .bool(flip())
            chosen["auto_enhance"] = .bool(flip())
        }
        let settings = JSONValue(chosen)
        self.seed = seed
        rule = service.mediaRule(settings)
        keepsPosition = AccountPosition(settings, service.description.position).isKept
        look = AccountPicture(settings, service.description)
        original = "\(folder)/original-\(seed)"
        destination = "\(folder)/copy-\(seed)"
        photo = Photo(
            id: .make(), owner: .make(), code: .make(), kind: isVideo ? .video : .photo,
            blob: try #require(BlobID([UInt8](repeating: 0, count: 32))), mediaType: type,
            bytes: [1_000, 3_000_000, 90_000_000][Int.random(in: 0..<3, using: &random)],
            width: 4000, height: flip() ? 3000 : 500, video: nil, takenAt: nil,
            position: Position(latitude: 1, longitude: 2), caption: String(repeating: "x", count: length),
            altText: "", visibility: .public, recipe: flip() && !isVideo ? recipe : nil, likeCount: 0, version: 1,
            createdAt: Date(), deletedAt: nil)
        isOwnPosition = flip()
        tools = FailingTools(type: type, isOwnPosition: isOwnPosition, &random)
        try Data(Picture(look: "original", position: .file, hasNames: true).text.utf8)
            .write(to: URL(filePath: original))
    }

    /// The expected picture.
    private var expected: (recipe: Recipe?, bound: Int?) {
        var recipe = photo.recipe
        if look.isEnhanced, photo.kind == .photo, photo.mediaType != "image/gif" || recipe != nil {
            recipe = recipe ?? Recipe()
            recipe?.enhance = true
        }
        let bound = photo.kind == .photo && photo.mediaType != "image/gif" ? look.quality.longestSide : nil
        return (recipe, bound)
    }

    /// Makes the copy and says what it is.
    func check() async throws -> String {
        let tags = PictureTags(
            caption: photo.caption, software: "Pics",
            position: keepsPosition ? PictureFacts.Position(latitude: 1, longitude: 2) : nil)
        let copy = OutgoingCopy(
            photo: photo, original: original, rule: rule, tags: tags, keepsPosition: keepsPosition, look: look,
            media: tools, threads: SharedParts.threads, destination: destination)
        let file: OutgoingFile
        do throws(SubmissionError) { file = try await copy.make() } catch { return "none" }
        let text = try String(contentsOf: URL(filePath: file.path), encoding: .utf8)
        let picture = try #require(Picture(text), "seed \(seed): \(text)")
        let (recipe, bound) = expected
        if recipe == nil, bound == nil {
            try #require(picture.look == "original" || picture.look.hasPrefix("rendered - "), "seed \(seed): \(text)")
        } else {
            let wanted = "rendered \(recipe?.digest ?? "-") "
            try #require(picture.look.hasPrefix(wanted), "seed \(seed): \(text)")
            let side = try #require(Int(picture.look.dropFirst(wanted.count)))
            try #require(side <= bound ?? .max, "seed \(seed): \(text)")
        }
        try #require(picture.position == .none || keepsPosition, "seed \(seed): \(text)")
        try #require(picture.position != .file || isOwnPosition, "seed \(seed): \(text)")
        let isWhole = rule.copy == .tagged && keepsPosition && picture.look == "original"
        try #require(!picture.hasNames || isWhole, "seed \(seed): \(text)")
        try #require(file.path == destination || isWhole, "seed \(seed): \(file.path)")
        return picture.look != "original" ? "rendered" : isWhole ? "original" : "stripped"
    }
}

/// A file of these tests: what it shows and tells, in words.
private struct Picture {
    enum Position: String {
        case none
        /// The position in the metadata of the original file.
        case file
        /// The photo's, which its owner may have given.
        case photo
    }

    var look: String
    var position: Position
    var hasNames: Bool

    var text: String { "\(look)|\(position.rawValue)|\(hasNames)" }

    init(look: String, position: Position, hasNames: Bool) {
        (self.look, self.position, self.hasNames) = (look, position, hasNames)
    }

    init?(_ text: String) {
        let parts = text.split(separator: "|").map(String.init)
        guard parts.count == 3, let position = Position(rawValue: parts[1]), let hasNames = Bool(parts[2]) else {
            return nil
        }
        self.init(look: parts[0], position: position, hasNames: hasNames)
    }

    init(at path: String) {
        let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8)
        self = text.flatMap(Picture.init) ?? Picture(look: "damaged", position: .file, hasNames: true)
    }

    func write(to path: String) throws(MediaError) {
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw .failed(detail: path)
        }
    }
}

/// A double of `pics-media`: its pictures are lines of text, and each step may fail with an error of the real one.
private struct FailingTools: CopyTools {
    private let type: String
    private let isOwnPosition: Bool
    /// The error of each step, if any.
    private let failures: [String: MediaError]

    init(type: String, isOwnPosition: Bool, _ random: inout SplitMix64) {
        let all: [MediaError] = [
            .refused(.unsupported), .refused(.damaged), .refused(.cannotFit), .refused(.tooCostly),
            .refused(.tooManyPixels), .refused(.cutOff), .refused(.unknownType), .busy, .failed(detail: "x"), .stopped,
            .cancelled,
        ]
        var failures: [String: MediaError] = [:]
        for step in ["probe", "render", "strip", "tag"] where Int.random(in: 0..<3, using: &random) == 0 {
            failures[step] = all[Int.random(in: 0..<all.count, using: &random)]
        }
        (self.type, self.isOwnPosition, self.failures) = (type, isOwnPosition, failures)
    }

    private func fail(_ step: String) throws(MediaError) {
        if let failure = failures[step] { throw failure }
    }

    func probe(_ path: String) async throws(MediaError) -> PictureFacts {
        try fail("probe")
        return PictureFacts(
            kind: type == "video/mp4" ? .video : .photo, mediaType: type,
            position: isOwnPosition
                ? PictureFacts.Position(latitude: 1, longitude: 2)
                : PictureFacts.Position(latitude: 50, longitude: 60))
    }

    func render(
        _ path: String, to output: String, as rendition: Rendition
    ) async throws(MediaError) -> RenderedFacts {
        try fail("render")
        guard case .inside(let side) = rendition.fit else { throw .refused(.unsupported) }
        let look = "rendered \(rendition.recipe?.digest ?? "-") \(side)"
        try Picture(look: look, position: .none, hasNames: false).write(to: output)
        return RenderedFacts(width: side, height: 1, bytes: 1, mediaType: "image/jpeg")
    }

    func strip(_ path: String, to output: String, _ rules: StripRules) async throws(MediaError) {
        try fail("strip")
        if type == "image/heic" { throw .refused(.unsupported) }
        var picture = Picture(
            look: Picture(at: path).look, position: rules.keepsPosition ? .file : .none, hasNames: false)
        if let tags = rules.tags { try add(tags, to: &picture) }
        try picture.write(to: output)
    }

    func tag(_ path: String, to output: String, with tags: PictureTags) async throws(MediaError) {
        var picture = Picture(at: path)
        try add(tags, to: &picture)
        try picture.write(to: output)
    }

    private func add(_ tags: PictureTags, to picture: inout Picture) throws(MediaError) {
        try fail("tag")
        guard tags.caption?.utf8.count ?? 0 <= 16 << 10 else { throw .refused(.unsupported) }
        if picture.look == "original", ["image/gif", "image/heic", "video/mp4"].contains(type) {
            throw .refused(.unsupported)
        }
        if tags.position != nil { picture.position = .photo }
    }
}
