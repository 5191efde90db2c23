import Domain
import MediaSamples
import Testing

@testable import Media

/// The part of a picture that a recipe keeps, and its place.
struct RecipeGeometryTests {
    private static let whole = Rendition.Fit.inside(maxSide: 1000)

    private func shown(
        _ grid: PixelGrid, orientation: Int? = nil, _ fit: Rendition.Fit = whole, _ change: (inout Recipe) -> Void
    ) async throws -> PixelGrid {
        let recipe = RecipeTests.recipe(change)
        var result: PixelGrid?
        try await withWorkbench { bench in
            let source = try bench.file("a.png", grid.png(orientation: orientation))
            result = try await bench.pixels(source, Rendition(fit, .png, recipe: recipe))
        }
        return try #require(result)
    }

    /// The part of the flag from `x` and `y` on.
    private func part(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelGrid {
        PixelGrid(width: width, height: height) { PixelGrid.flag.colours[x + $0, y + $1] }
    }

    @Test func `a crop keeps its part`() async throws {
        let result = try await shown(.flag) { $0.crop = RecipeCrop(x: 0.25, y: 0.5, width: 0.5, height: 0.5) }

        #expect(result == part(12, 16, 24, 16))
    }

    @Test func `a square is cut from the middle of what the crop keeps`() async throws {
        let result = try await shown(.flag) {
            $0.crop = RecipeCrop(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
            $0.square = true
        }

        #expect(result == part(28, 16, 16, 16))
    }

    @Test(arguments: [(90.0, 6), (180, 3), (270, 8), (-90, 8), (360, 1)])
    func `a quarter turn is exact`(degrees: Double, orientation: Int) async throws {
        let upright = try await shown(PixelGrid.flag, orientation: orientation) { _ in }

        let result = try await shown(.flag) { $0.rotate = degrees }

        #expect(result == upright)
    }

    @Test func `a straightened picture has no empty corner`() async throws {
        let result = try await shown(.plain(200, 100, [10, 200, 30, 255])) { $0.rotate = 7 }

        #expect(result.width < 200)
        #expect(result.height < 100)
        #expect(result.pixels.allSatisfy { $0 == [10, 200, 30] })
    }

    @Test func `a straightened picture turns clockwise around its middle`() async throws {
        // White above, black below.
        let grid = PixelGrid(width: 100, height: 100) { _, y in y < 50 ? [255, 255, 255, 255] : [0, 0, 0, 255] }

        let result = try await shown(grid) { $0.rotate = 20 }

        #expect(result[result.width - 1, result.height / 2] == [255, 255, 255])
        #expect(result[0, result.height / 2] == [0, 0, 0])
    }

    @Test(arguments: 1...8)
    func `a phone's crop is of the picture as it was stored`(orientation: Int) async throws {
        // The upright picture's lower right block, in the stored one's pixels from its lower left corner.
        let stored = PixelGrid.flag.stored(orientation: orientation)
        let wanted = PixelGrid(width: 48, height: 32) { x, y in x >= 32 && y >= 16 ? [1] : [0] }
            .stored(orientation: orientation)
        let marks = (0..<wanted.height).flatMap { y in
            (0..<wanted.width).filter { x in wanted[x, y] == [1] }.map { x in (x: x, y: y) }
        }
        let (left, right) = (try #require(marks.map(\.x).min()), try #require(marks.map(\.x).max()))
        let (top, bottom) = (try #require(marks.map(\.y).min()), try #require(marks.map(\.y).max()))
        let crop = [left, wanted.height - 1 - bottom, right - left + 1, bottom - top + 1].map { Double($0) * 10 }

        let result = try await shown(stored, orientation: orientation) {
            // The phone's picture was ten times as large.
            $0.adjustment = AppleAdjustment(
                affine: nil, crop: crop, width: stored.width * 10, height: stored.height * 10, orientation: orientation)
        }

        #expect(result == part(32, 16, 16, 16))
    }

    @Test func `a phone's map comes before its crop`() async throws {
        let result = try await shown(.flag) {
            // Turned by 180 degrees about the origin, then the part that was the upper right block.
            $0.adjustment = AppleAdjustment(
                affine: [-1, 0, 0, -1, 0, 0], crop: [-48, -32, 16, 16], width: 48, height: 32, orientation: 1)
        }

        #expect(result == part(32, 0, 16, 16))
    }

    @Test(arguments: [(RecipeFrame.Name.white, [255, 255, 255]), (.black, [0, 0, 0])])
    func `a frame lies around the whole picture`(name: RecipeFrame.Name, colour: [UInt8]) async throws {
        let result = try await shown(.flag) { $0.frame = RecipeFrame(name, width: 0.25) }

        #expect(result.width == 48 + 16)
        #expect(result.height == 32 + 16)
        for y in 0..<result.height {
            for x in 0..<result.width {
                let isInside = (8..<56).contains(x) && (8..<40).contains(y)
                #expect(result[x, y] == (isInside ? PixelGrid.flag.colours[x - 8, y - 8] : colour))
            }
        }
    }

    @Test func `a square rendition shows a square picture in a whole frame`() async throws {
        let result = try await shown(.flag, .square(side: 1000)) { $0.frame = RecipeFrame(.white, width: 0.25) }

        #expect(result.width == 48)
        #expect(result.height == 48)
        #expect(result[7, 24] == [255, 255, 255])
        #expect(result[8, 8] == PixelGrid.flag.colours[8, 0])
        #expect(result[40, 24] == [255, 255, 255])
    }

    @Test(arguments: [
        (Rendition.Fit.inside(maxSide: 2000), 24, 16), (.inside(maxSide: 12), 12, 8), (.square(side: 2000), 24, 24),
    ])
    func `fit bounds the longest side`(fit: Rendition.Fit, width: Int, height: Int) async throws {
        let result = try await shown(.flag, fit) { $0.fit = 24 }

        #expect(result.width == width)
        #expect(result.height == height)
    }

    @Test func `each size shows the same, and the layout knows it before`() async throws {
        let recipe = RecipeTests.recipe {
            $0.rotate = 90
            $0.crop = RecipeCrop(x: 0.1, y: 0.2, width: 0.7, height: 0.6)
            $0.frame = RecipeFrame(.black)
        }
        let layout = RecipeLayout(recipe, ofWidth: 300, height: 200)

        try await withWorkbench { bench in
            let source = try bench.file("a.png", PixelGrid.noise(300, 200).png())
            for side in [17, 100, 133, 150, 300] {
                let facts = try await bench.pool.render(
                    source, to: bench.path("\(side)"), as: Rendition(.inside(maxSide: side), .jpeg, recipe: recipe))
                let size = layout.size(maxSide: side)
                #expect(facts.width == size.width)
                #expect(facts.height == size.height)
            }
        }
    }

    @Test func `all frames of an animation are edited`() async throws {
        let recipe = RecipeTests.recipe {
            $0.crop = RecipeCrop(x: 0, y: 0, width: 0.5, height: 0.5)
            $0.filter = .greyscale
            $0.frame = RecipeFrame(.white, width: 0.5)
        }

        try await withWorkbench { bench in
            let source = try bench.file("a.gif", Samples.animatedGIF)
            let facts = try await bench.pool.render(
                source, to: bench.path("out"),
                as: Rendition(.inside(maxSide: 100), .webp, keepsAnimation: true, recipe: recipe))

            #expect(facts.width == 8 + 6)
            #expect(facts.height == 6 + 6)
            #expect(try await bench.pool.probe(bench.path("out")).pages == 3)
            #expect(try await bench.tags(of: bench.path("out"))["RIFF:Duration"] == "0.6")
        }
    }
}
