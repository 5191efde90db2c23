/// The main filter of a recipe. Definitions and usual values are those of GPUImage, which photo apps of phones used.
package enum RecipeFilter: Sendable, Hashable {
    /// The brown of old prints; `intensity` is how much of it is mixed in.
    case sepia(intensity: Double)
    /// The brightness alone, by the weights 0.2125, 0.7154 and 0.0721.
    case greyscale
    /// Squares of one colour; `size` is a part of the picture's width.
    case pixellate(size: Double)
    /// Darker towards the edges: from the distance `start` on, black at `end`. 0.5 is the middle of an edge, 0.71 a corner.
    case vignette(start: Double, end: Double)

    package enum Name: String, Sendable, CaseIterable {
        case sepia
        case greyscale
        case pixellate
        case vignette
    }

    package static let intensityBounds = 0.0...1.0
    package static let usualIntensity = 1.0
    package static let sizeBounds = 0.002...0.5
    package static let usualSize = 0.05
    package static let distanceBounds = 0.0...2.0
    package static let usualStart = 0.3
    package static let usualEnd = 0.75

    package var name: Name {
        switch self {
        case .sepia: .sepia
        case .greyscale: .greyscale
        case .pixellate: .pixellate
        case .vignette: .vignette
        }
    }
}

extension RecipeFilter: Codable {
    private enum Key: String, CodingKey {
        case name
        case intensity
        case size
        case start
        case end
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let text = try values.decode(String.self, forKey: .name)
        switch Name(rawValue: text) {
        case .sepia: self = .sepia(intensity: try values.decode(Double.self, forKey: .intensity))
        case .greyscale: self = .greyscale
        case .pixellate: self = .pixellate(size: try values.decode(Double.self, forKey: .size))
        case .vignette:
            self = .vignette(
                start: try values.decode(Double.self, forKey: .start), end: try values.decode(Double.self, forKey: .end)
            )
        case nil: throw DecodingError.dataCorruptedError(forKey: .name, in: values, debugDescription: "no filter")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(name.rawValue, forKey: .name)
        switch self {
        case .sepia(let intensity): try values.encode(intensity, forKey: .intensity)
        case .greyscale: break
        case .pixellate(let size): try values.encode(size, forKey: .size)
        case .vignette(let start, let end):
            try values.encode(start, forKey: .start)
            try values.encode(end, forKey: .end)
        }
    }
}
