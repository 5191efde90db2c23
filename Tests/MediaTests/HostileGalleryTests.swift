import Domain
import MediaSamples
import Testing

@testable import Media

struct HostileGalleryTests {
    private static let small = Rendition(
        .inside(maxSide: 20), .jpeg, recipe: RecipeTests.recipe { $0.filter = .sepia(intensity: 1) })

    @Test func `there are at least thirty hostile files`() {
        #expect(HostileGallery.files.count >= 30)
        #expect(Set(HostileGallery.files.map(\.name)).count == HostileGallery.files.count)
    }

    @Test(arguments: HostileGallery.activeTypes.map(\.name))
    func `what can run something, or is no type of a phone's, is unknown`(name: String) async throws {
        let bytes = try #require(HostileGallery.activeTypes.first { $0.name == name }).bytes

        #expect(SniffedType.of(firstBytes: bytes) == nil)
        try await withWorkbench { bench in
            let file = try bench.file("bad", bytes)
            await #expect(throws: MediaError.refused(.unknownType)) { try await bench.pool.probe(file) }
            await #expect(throws: MediaError.refused(.unknownType)) {
                try await bench.pool.render(file, to: bench.path("out"), as: Self.small)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `each hostile file gives a clear refusal or a good picture, and the pool lives on`() async throws {
        try await withWorkbench { bench in
            let good = try bench.file("good.png", PixelGrid.flag.png())
            for (number, hostile) in HostileGallery.files.enumerated() {
                let file = try bench.file("bad-\(number)", hostile.bytes)

                #expect(await isAnswered { _ = try await bench.pool.probe(file) }, "\(hostile.name)")
                let out = bench.path("out-\(number)")
                let isMade = await isAnswered { _ = try await bench.pool.render(file, to: out, as: Self.small) }
                #expect(isMade, "\(hostile.name)")
                if let bytes = try? bench.bytes(of: out), !bytes.isEmpty {
                    let facts = try await bench.pool.probe(out)
                    #expect(facts.mediaType == "image/jpeg" && facts.exif.isEmpty, "\(hostile.name)")
                    #expect(!bytes.contains(Array("<script>".utf8)), "\(hostile.name)")
                }
                #expect(
                    await isAnswered { try await bench.pool.strip(file, to: bench.path("strip-\(number)")) },
                    "\(hostile.name)")
                #expect(try await bench.pool.probe(good).width == 48)
            }
            let processes = bench.pool.processes
            #expect(processes.count <= 2)
        }
    }
}
