import Domain
import MediaSamples
import Testing

@testable import Media

/// A photo is upright in every public picture, however the camera was held.
struct UprightTests {
    /// No turn and no mirror image of it is like another; larger than a thumbnail, so that it is shrunk while it is decoded.
    private static let scene = PixelGrid(width: 400, height: 304) { x, y in
        [UInt8(x * 255 / 399), UInt8(y * 255 / 303), x > 200 && y > 152 ? 255 : 40, 255]
    }

    static let renditions = [
        Rendition(.square(side: 100), .jpeg), Rendition(.inside(maxSide: 200), .webp),
        Rendition(.inside(maxSide: 200), .avif),
    ]

    @Test func `all eight orientations give the same pictures, pixel by pixel within JPEG's noise`() async throws {
        try await withWorkbench { bench in
            let upright = try await bench.picture("upright.jpg", Self.scene, .jpeg)
            var wanted: [PixelGrid] = []
            for rendition in Self.renditions { wanted.append(try await bench.pixels(upright, rendition)) }

            for orientation in 1...8 {
                let stored = try await bench.picture(
                    "stored-\(orientation).jpg", Self.scene.stored(orientation: orientation), .jpeg)
                try await bench.write(["-Orientation=\(orientation)"], into: stored)
                let outputs = Self.renditions.indices.map { bench.path("\(orientation)-\($0)") }
                let facts = try await bench.pool.render(stored, Array(zip(Self.renditions, outputs)))

                for (index, rendition) in Self.renditions.enumerated() {
                    let pixels = try await bench.pixels(of: outputs[index], facts[index].width, facts[index].height)
                    #expect(pixels.farthest(from: wanted[index]) <= 24, "\(orientation) \(rendition.format)")
                    #expect(pixels.mean(from: wanted[index]) < 2, "\(orientation) \(rendition.format)")
                    guard rendition.format != .avif else { continue }
                    #expect(try await bench.pool.probe(outputs[index]).orientation == 1)
                }
            }
        }
    }
}

extension PixelGrid {
    /// The largest difference of a colour.
    fileprivate func farthest(from other: PixelGrid) -> Int { differences(from: other).max() ?? 0 }

    /// The mean difference of all colours.
    fileprivate func mean(from other: PixelGrid) -> Double {
        let differences = differences(from: other)
        return Double(differences.reduce(0, +)) / Double(max(1, differences.count))
    }

    private func differences(from other: PixelGrid) -> [Int] {
        guard width == other.width, height == other.height else { return [255] }
        return zip(pixels, other.pixels).flatMap { one, other in zip(one, other).map { abs(Int($0) - Int($1)) } }
    }
}
