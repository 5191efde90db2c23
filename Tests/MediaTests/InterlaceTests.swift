import Domain
import MediaSamples
import Testing

@testable import Media

struct InterlaceTests {
    private let red = PixelGrid.plain(20, 12, [255, 0, 0, 255])
    private let blue = PixelGrid.plain(20, 12, [0, 0, 255, 255])

    private func lines(
        _ grids: [PixelGrid], _ recipe: InterlaceRecipe?, shown: [Recipe?]? = nil
    ) async throws -> PixelGrid {
        let recipe = try #require(recipe)
        var result: PixelGrid?
        try await withWorkbench { bench in
            let files = try grids.enumerated().map { try bench.file("\($0).png", $1.png()) }
            let interlace = Interlace(recipe, of: shown ?? grids.map { _ in nil }, .png)
            let facts = try await bench.pool.interlace(files, to: bench.path("out"), as: interlace)
            result = try await bench.pixels(of: bench.path("out"), facts.width, facts.height)
        }
        return try #require(result)
    }

    @Test func `pictures and a colour take turns from the top`() async throws {
        let green = RGBColour(red: 0, green: 255, blue: 0)
        let recipe = InterlaceRecipe(
            sources: [.picture, .colour(green), .picture], lineHeight: 2, shift: 0, isScaled: true)

        let result = try await lines([red, blue], recipe)

        let wanted: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]]
        #expect(result == PixelGrid(width: 20, height: 12) { _, y in wanted[y / 2 % 3] })
    }

    @Test func `each picture lies further to the right by the shift, around the edge`() async throws {
        let marked = PixelGrid(width: 20, height: 12) { x, _ in x == 19 ? [255, 255, 255, 255] : [9, 9, 9, 255] }
        let recipe = InterlaceRecipe(
            sources: [.picture, .picture, .picture], lineHeight: 1, shift: 3, isScaled: true)

        let result = try await lines([marked, marked, marked], recipe)

        for (y, x) in [(0, 19), (1, 2), (2, 5), (3, 19)] {
            #expect((0..<20).filter { result[$0, y] == [255, 255, 255] } == [x])
        }
    }

    @Test func `another picture is scaled to cover the first, or lies as it is in the middle`() async throws {
        let small = PixelGrid.plain(10, 10, [0, 0, 255, 255])
        let scaled = InterlaceRecipe(sources: [.picture, .picture], lineHeight: 1, shift: 0, isScaled: true)
        let plain = InterlaceRecipe(sources: [.picture, .picture], lineHeight: 1, shift: 0, isScaled: false)

        let covering = try await lines([red, small], scaled)
        let lying = try await lines([red, small], plain)

        #expect((0..<20).allSatisfy { covering[$0, 1] == [0, 0, 255] })
        #expect((0..<20).filter { lying[$0, 5] == [0, 0, 255] } == Array(5..<15))
        #expect(lying[0, 5] == [0, 0, 0])
        #expect(lying[10, 11] == [0, 0, 0])
        #expect(lying[0, 4] == [255, 0, 0])
    }

    @Test func `pictures are taken as their recipes show them`() async throws {
        let recipe = InterlaceRecipe(sources: [.picture, .picture], lineHeight: 4, shift: 0, isScaled: true)
        let half = RecipeTests.recipe { $0.crop = RecipeCrop(x: 0, y: 0, width: 0.5, height: 1) }

        let result = try await lines(
            [red, blue], recipe, shown: [half, RecipeTests.recipe { $0.filter = .greyscale }])

        #expect(result.width == 10)
        #expect(result[0, 0] == [255, 0, 0])
        #expect(result[0, 4] == [18, 18, 18])
    }

    @Test func `a source that is no picture is refused, and nothing is there`() async throws {
        try await withWorkbench { bench in
            let recipe = try #require(
                InterlaceRecipe(sources: [.picture, .picture], lineHeight: 4, shift: 0, isScaled: true))
            let good = try bench.file("a.png", red.png())
            let bad = try bench.file("b.png", Array("<svg/>".utf8))

            await #expect(throws: MediaError.refused(.unknownType)) {
                try await bench.pool.interlace(
                    [good, bad], to: bench.path("out"), as: Interlace(recipe, of: [nil, nil], .jpeg))
            }
            #expect(throws: (any Error).self) { try bench.bytes(of: bench.path("out")) }
        }
    }
}
