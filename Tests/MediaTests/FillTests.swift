import Domain
import MediaSamples
import Testing

@testable import Media

/// Pictures that fill a surface, as a printed card.
@Suite(.timeLimit(.minutes(5)))
struct FillTests {
    @Test(arguments: [
        // Lying, upright, as it is, and the surface turned under an upright picture.
        (4000, 3000, 0, 140, 4000, 2720, 1875, 1275), (3000, 4000, 140, 0, 2720, 4000, 1275, 1875),
        (1875, 1275, 0, 0, 1875, 1275, 1875, 1275), (6000, 1000, 2264, 0, 1471, 1000, 1471, 1000),
        (48, 64, 2, 0, 44, 64, 1275, 1875),
    ])
    func `the middle of a picture is kept, with the surface turned as the picture is`(
        width: Int, height: Int, x: Int, y: Int, keptWidth: Int, keptHeight: Int, madeWidth: Int, madeHeight: Int
    ) {
        let cut = PictureFill(width: 1875, height: 1275, enlarges: false).cut(of: width, height)

        #expect((cut.x, cut.y) == (x, y))
        #expect((cut.width, cut.height) == (keptWidth, keptHeight))
        #expect(cut.result == PictureFill.PixelSize(width: madeWidth, height: madeHeight))
    }

    @Test func `every cut lies inside its picture and has the surface's shape`() {
        let surface = PictureFill(width: 1875, height: 1275, enlarges: true)
        for width in stride(from: 1, through: 3000, by: 97) {
            for height in stride(from: 1, through: 3000, by: 89) {
                let cut = surface.cut(of: width, height)
                #expect(cut.x >= 0 && cut.y >= 0 && cut.width >= 1 && cut.height >= 1)
                #expect(cut.x + cut.width <= width && cut.y + cut.height <= height)
                #expect(Set([cut.result.width, cut.result.height]) == [1875, 1275])
            }
        }
    }

    @Test func `what is kept is the picture as it was, and what sticks out is gone`() async throws {
        let grid = PixelGrid.flag
        let expected = PixelGrid(width: 40, height: 32) { x, y in grid[x + 4, y] }
        try await withWorkbench { bench in
            let source = try bench.file("a.png", grid.png())

            let made = try await bench.rendered(
                source, Rendition(.filling(PictureFill(width: 40, height: 32, enlarges: true)), .png))

            #expect(made == (try await bench.rendered(try bench.file("b.png", expected.png()), RenderTests.whole)))
        }
    }

    @Test(arguments: [
        (nil as Recipe?, false, 600, 400, 600, 400), (nil, true, 300, 200, 300, 200),
        (nil, false, 20, 30, 30, 20), (recipe { $0.square = true }, true, 64, 40, 64, 40),
        (recipe { $0.rotate = 90 }, true, 64, 40, 40, 64),
    ])
    func `a picture has the pixels of its surface, enlarged where that is demanded`(
        recipe: Recipe?, enlarges: Bool, width: Int, height: Int, madeWidth: Int, madeHeight: Int
    ) async throws {
        try await withWorkbench { bench in
            let source = try bench.file(
                "a.png", PixelGrid(width: 60, height: 40) { x, y in [UInt8(x * 4), UInt8(y * 6), 0, 255] }.png())
            let large = try await bench.picture(
                "b.png", PixelGrid(width: 900, height: 600) { x, y in [UInt8(x % 256), UInt8(y % 256), 0, 255] }, .png)

            let facts = try await bench.pool.render(
                enlarges ? source : large, to: bench.path("made"),
                as: Rendition(
                    .filling(PictureFill(width: width, height: height, enlarges: enlarges)), .jpeg, quality: 95,
                    recipe: recipe))

            #expect((facts.width, facts.height) == (madeWidth, madeHeight))
        }
    }

    private static func recipe(_ change: (inout Recipe) -> Void) -> Recipe {
        var recipe = Recipe()
        change(&recipe)
        return recipe
    }

    @Test func `what is printed carries no metadata, not even its rights`() async throws {
        try await withWorkbench { bench in
            let source = try await bench.picture("a.jpg", .flag, .jpeg)
            try await bench.pool.tag(
                source, to: bench.path("b.jpg"), with: PictureTags(caption: "secret", artist: "Ann", copyright: "Ann"))

            _ = try await bench.pool.render(
                bench.path("b.jpg"), to: bench.path("c.jpg"),
                as: Rendition(.filling(PictureFill(width: 40, height: 30, enlarges: true)), .jpeg, quality: 95))

            let tags = try await bench.tags(of: bench.path("c.jpg"))
            #expect(tags.keys.filter { $0.hasPrefix("IFD") || $0.hasPrefix("XMP") || $0.hasPrefix("IPTC") } == [])
        }
    }
}
