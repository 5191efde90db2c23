import Domain
import MediaSamples
import Testing

@testable import Media

/// The effect of recipes on pixels.
struct RecipeTests {
    /// Left to right: red, green, blue, white in the upper half; the lower half is black.
    static let bars = PixelGrid(width: 8, height: 4) { x, y in
        let colours: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]]
        return y < 2 ? colours[x / 2] : [0, 0, 0, 255]
    }

    static func recipe(_ change: (inout Recipe) -> Void) -> Recipe {
        var recipe = Recipe()
        change(&recipe)
        return recipe
    }

    /// The grid as the recipe shows it.
    private func cooked(_ grid: PixelGrid, _ recipe: Recipe, _ fit: Rendition.Fit = .inside(maxSide: 1000)) async throws
        -> PixelGrid
    {
        var result: PixelGrid?
        try await withWorkbench { bench in
            let source = try bench.file("a.png", grid.png())
            result = try await bench.pixels(source, Rendition(fit, .png, recipe: recipe))
        }
        return try #require(result)
    }

    @Test func `a recipe that says nothing changes nothing`() async throws {
        let result = try await cooked(Self.bars, Recipe())

        #expect(result == Self.bars.colours)
    }

    @Test(arguments: [
        // GPUImage's matrix for sepia: the sums of its rows are 1.2, 1.0 and 0.8.
        (RecipeFilter.sepia(intensity: 1), [91, 76, 61], [180, 150, 120], [255, 255, 204]),
        (.sepia(intensity: 0.5), [173, 38, 30], [90, 202, 60], [255, 255, 230]),
        (.sepia(intensity: 0), [255, 0, 0], [0, 255, 0], [255, 255, 255]),
        (.greyscale, [54, 54, 54], [182, 182, 182], [255, 255, 255]),
    ])
    func `a filter of colours gives the colours of its definition`(
        filter: RecipeFilter, red: [UInt8], green: [UInt8], white: [UInt8]
    ) async throws {
        let result = try await cooked(Self.bars, Self.recipe { $0.filter = filter })

        #expect(result[0, 0] == red)
        #expect(result[2, 0] == green)
        #expect(result[6, 0] == white)
        #expect(result[0, 3] == [0, 0, 0])
    }

    @Test(arguments: [
        (recipe { $0.saturation = 0 }, [54, 54, 54]),
        (recipe { $0.saturation = 0.5 }, [155, 27, 27]),
        (recipe { $0.contrast = 0.5 }, [191, 64, 64]),
        (recipe { $0.contrast = 0 }, [128, 128, 128]),
        (recipe { $0.brightness = 0.2 }, [255, 51, 51]),
        (recipe { $0.brightness = -0.2 }, [204, 0, 0]),
    ])
    func `saturation, contrast and brightness are what they are called`(
        recipe: Recipe, red: [UInt8]
    ) async throws {
        let result = try await cooked(Self.bars, recipe)

        #expect(result[0, 0] == red)
    }

    @Test func `the main filter comes first, then saturation, contrast and brightness`() async throws {
        let sepia = Self.recipe {
            $0.filter = .sepia(intensity: 1)
            $0.saturation = 0
            $0.contrast = 0.5
            $0.brightness = 0.2
        }

        let result = try await cooked(Self.bars, sepia)

        // Red becomes 91, 76, 61; its brightness 78; half as far from the middle 103; and a fifth of the range more.
        #expect(result[0, 0] == [154, 154, 154])
        // White becomes 255, 255, 204; in any other order it would end below 242.
        #expect(result[6, 0] == [240, 240, 240])
    }

    @Test func `pixellation gives squares of one colour`() async throws {
        let grid = PixelGrid(width: 20, height: 12) { x, y in [UInt8(x * 12), UInt8(y * 20), 0, 255] }

        let result = try await cooked(grid, Self.recipe { $0.filter = .pixellate(size: 0.2) })

        for y in 0..<12 {
            for x in 0..<20 { #expect(result[x, y] == result[x / 4 * 4, y / 4 * 4]) }
        }
        #expect(result[0, 0] == [18, 30, 0])
        #expect(result[4, 0] != result[0, 0])
    }

    @Test func `a vignette leaves the middle and blackens the edges`() async throws {
        let grid = PixelGrid.plain(100, 60, [200, 100, 50, 255])

        let result = try await cooked(grid, Self.recipe { $0.filter = .vignette(start: 0.3, end: 0.6) })

        #expect(result[50, 30] == [200, 100, 50])
        #expect(result[0, 0] == [0, 0, 0])
        let (middle, edge) = (try #require(result[50, 30].first), try #require(result[2, 30].first))
        #expect(edge > 0 && edge < middle)
        #expect(result[2, 30] == result[97, 29])
    }

    @Test func `enhancing stretches the brightness of a dull picture and shifts no grey`() async throws {
        let dull = PixelGrid(width: 64, height: 16) { x, _ in
            let level = UInt8(90 + x)
            return [level, level, level, 255]
        }

        let result = try await cooked(dull, Self.recipe { $0.enhance = true })

        #expect(try #require(result[0, 0].first) < 12)
        #expect(try #require(result[63, 0].first) > 243)
        for x in 0..<64 { #expect(Set(result[x, 0]).count == 1) }
    }

    @Test(arguments: [(60, 70...90), (110, 105...115), (150, 145...155), (210, 180...200)])
    func `enhancing leads what is too dark or too bright towards the middle, and leaves daylight alone`(
        level: UInt8, expected: ClosedRange<UInt8>
    ) async throws {
        // All but the first column, which has the whole range.
        let grid = PixelGrid(width: 64, height: 64) { x, y in
            let value = x == 0 ? UInt8(y < 32 ? 0 : 255) : level
            return [value, value, value, 255]
        }

        let result = try await cooked(grid, Self.recipe { $0.enhance = true })

        #expect(expected.contains(try #require(result[32, 32].first)), "\(result[32, 32])")
    }

    @Test func `what is transparent stays so`() async throws {
        let grid = PixelGrid(width: 8, height: 8) { x, _ in [200, 0, 0, x < 4 ? 255 : 0] }
        let recipe = Self.recipe {
            $0.filter = .greyscale
            $0.contrast = 2
            $0.enhance = true
        }

        try await withWorkbench { bench in
            let source = try bench.file("a.png", grid.png())
            let pixels = try await bench.pixels(
                source, Rendition(.inside(maxSide: 8), .png, recipe: recipe), alpha: true)

            #expect(pixels[0, 0].last == 255)
            #expect(pixels[7, 7].last == 0)
        }
    }
}
