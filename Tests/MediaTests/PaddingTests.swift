import Domain
import MediaSamples
import Testing

@testable import Media

/// White beside pictures whose ratio a service does not take.
struct PaddingTests {
    @Test(arguments: [
        (4000, 3000, 4000, 3000), (1080, 1350, 1080, 1350), (1910, 1000, 1910, 1000), (1080, 1920, 1536, 1920),
        (3000, 1000, 3000, 1571), (1, 1, 1, 1), (1, 100, 80, 100), (100, 1, 100, 53),
    ])
    func `a picture outside the bounds is widened or heightened, never cut, and keeps its longest side`(
        width: Int, height: Int, canvasWidth: Int, canvasHeight: Int
    ) {
        let rendition = Rendition(.inside(maxSide: 5000), .jpeg, aspectRatios: 0.8...1.91)

        let canvas = rendition.canvas(around: (width, height))

        #expect(canvas == (canvasWidth, canvasHeight))
        #expect(Rendition(.inside(maxSide: 5000), .jpeg).canvas(around: (width, height)) == (width, height))
    }

    @Test func `every size comes within the bounds`() {
        let rendition = Rendition(.inside(maxSide: 5000), .jpeg, aspectRatios: 0.8...1.91)
        for width in 1...150 {
            for height in 1...150 {
                let canvas = rendition.canvas(around: (width, height))
                let ratio = Double(canvas.width) / Double(canvas.height)
                // Of a few pixels no ratio is exact.
                let slack = 1 / Double(canvas.height)
                #expect(ratio > 0.8 - 1e-9 && ratio < 1.91 + slack, "\(width) \(height)")
                #expect(max(canvas.width, canvas.height) == max(width, height))
            }
        }
    }

    @Test(arguments: [
        (false, 1.0...1.0, 48, 48), (true, 1.0...1.0, 48, 48), (false, 1.0...2.0, 48, 32),
    ])
    func `the picture lies in the middle of white as it was`(
        isTurned: Bool, ratios: ClosedRange<Double>, width: Int, height: Int
    ) async throws {
        let grid = isTurned ? PixelGrid.flag.stored(orientation: 6) : .flag
        let (left, top) = ((width - grid.width) / 2, (height - grid.height) / 2)
        try await withWorkbench { bench in
            let source = try bench.file("a.png", grid.png())
            let expected = PixelGrid(width: width, height: height) { x, y in
                (left..<left + grid.width).contains(x) && (top..<top + grid.height).contains(y)
                    ? grid[x - left, y - top] : [255, 255, 255, 255]
            }

            let result = try await bench.rendered(
                source, Rendition(.inside(maxSide: 1000), .png, aspectRatios: ratios))

            #expect(result == (try await bench.rendered(try bench.file("b.png", expected.png()), RenderTests.whole)))
        }
    }

    private static let recipe: Recipe = {
        var recipe = Recipe()
        recipe.crop = RecipeCrop(x: 0, y: 0, width: 0.5, height: 1)
        return recipe
    }()

    @Test(arguments: [
        (Rendition(.inside(maxSide: 300), .jpeg, aspectRatios: 0.8...1.5), 300, 200),
        (Rendition(.inside(maxSide: 150), .jpeg, aspectRatios: 0.8...1.5), 150, 100),
        (Rendition(.inside(maxSide: 300), .jpeg, aspectRatios: 1...1, recipe: recipe), 150, 150),
        (Rendition(.inside(maxSide: 300), .jpeg, maxPixels: 7500, aspectRatios: 1...1), 150, 150),
        (Rendition(.inside(maxSide: 300), .webp, aspectRatios: 0.8...1.5, keepsAnimation: true), 300, 200),
        (Rendition(.square(side: 50), .jpeg, aspectRatios: 2...3), 50, 50),
    ])
    func `a picture is padded after it was edited and made smaller`(
        rendition: Rendition, width: Int, height: Int
    ) async throws {
        try await withWorkbench { bench in
            let noise = try bench.file("noise.png", PixelGrid.noise(300, 100).png())

            let facts = try await bench.pool.render(noise, to: bench.path("out"), as: rendition)

            #expect(facts.width == width && facts.height == height)
        }
    }

    @Test func `what is transparent is padded too, and is white in a JPEG`() async throws {
        try await withWorkbench { bench in
            let clear = try bench.file("clear.png", PixelGrid.plain(60, 20, [0, 0, 0, 0]).png())
            let white = try bench.file("white.png", PixelGrid.plain(60, 40, [255, 255, 255, 255]).png())

            let result = try await bench.rendered(
                clear, Rendition(.inside(maxSide: 60), .jpeg, aspectRatios: 0.8...1.5))

            #expect(result == (try await bench.rendered(white, Rendition(.inside(maxSide: 60), .jpeg))))
        }
    }

    @Test func `a bound on bytes is kept with the white beside the picture`() async throws {
        try await withWorkbench { bench in
            let noise = try bench.file("noise.png", PixelGrid.noise(300, 100).png())

            let small = try await bench.pool.render(
                noise, to: bench.path("out"),
                as: Rendition(.inside(maxSide: 300), .jpeg, maxBytes: 3000, aspectRatios: 0.8...1.5))

            #expect(small.bytes <= 3000 && abs(Double(small.width) / Double(small.height) - 1.5) < 0.05)
        }
    }
}
