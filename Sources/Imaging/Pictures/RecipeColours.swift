internal import CVips
internal import Domain

/// The colours of a recipe: its main filter, saturation, contrast and brightness, in this order.
///
/// Each step gives whole numbers from 0 to 255, rounded, as the photo apps did that passed textures from filter to filter.
struct RecipeColours {
    let recipe: Recipe

    /// The weights of brightness that GPUImage takes (Haeberli, "Matrix Operations for Image Processing").
    private static let luminance = [0.2125, 0.7154, 0.0721]
    private static let sepia = [
        0.3588, 0.7044, 0.1368,
        0.2990, 0.5870, 0.1140,
        0.2392, 0.4696, 0.0912,
    ]

    /// The picture with these colours; it has three bands and maybe alpha, which stays.
    func apply(to picture: borrowing Picture) throws(ImagingError) -> Picture {
        guard picture.hasAlpha else { return try colours(of: picture) }
        let opaque = try picture.step { pics_vips_extract_bands($0, &$1, 0, 3) }
        let alpha = try picture.step { pics_vips_extract_bands($0, &$1, 3, 1) }
        let coloured = try colours(of: opaque)
        return try alpha.withImage { alpha throws(ImagingError) in
            try coloured.step { pics_vips_bandjoin2($0, alpha, &$1) }
        }
    }

    private func colours(of picture: borrowing Picture) throws(ImagingError) -> Picture {
        var result = try mainFilter(of: picture)
        if let saturation = recipe.saturation {
            let grey = Self.luminance + Self.luminance + Self.luminance
            result = try Self.mixed(result, Self.blend(grey, 1 - saturation))
        }
        if let levels { result = try ToneTable(levels).apply(to: result) }
        return result
    }

    /// Contrast, then brightness; nil when there is neither.
    private var levels: [UInt8]? {
        guard recipe.contrast != nil || recipe.brightness != nil else { return nil }
        return (0...255).map { value in
            let first = ToneTable.level((Double(value) / 255 - 0.5) * (recipe.contrast ?? 1) + 0.5)
            return ToneTable.level(Double(first) / 255 + (recipe.brightness ?? 0))
        }
    }

    private func mainFilter(of picture: borrowing Picture) throws(ImagingError) -> Picture {
        switch recipe.filter {
        case nil: try picture.step { pics_vips_cast($0, &$1, VIPS_FORMAT_UCHAR) }
        case .sepia(let intensity): try Self.mixed(picture, Self.blend(Self.sepia, intensity))
        case .greyscale: try Self.mixed(picture, Self.luminance + Self.luminance + Self.luminance)
        case .pixellate(let size): try Pixellation(size: size).apply(to: picture)
        case .vignette(let start, let end): try Vignette(start: start, end: end).apply(to: picture)
        }
    }

    /// As much of `matrix` as `share` says, and of what changes nothing for the rest.
    private static func blend(_ matrix: [Double], _ share: Double) -> [Double] {
        matrix.enumerated().map { index, value in value * share + (index % 4 == 0 ? 1 - share : 0) }
    }

    /// Colours that are sums of the colours there were.
    private static func mixed(_ picture: borrowing Picture, _ matrix: [Double]) throws(ImagingError) -> Picture {
        let matrix = try VipsHandle(owning: vips_image_new_matrix_from_array(3, 3, matrix, 9))
        let sums = try picture.step { pics_vips_recomb($0, &$1, matrix.pointer) }
        return try sums.rounded()
    }
}

extension Picture {
    /// To whole numbers from 0 to 255.
    func rounded() throws(ImagingError) -> Picture {
        // libvips cuts off what is behind the point.
        try step { pics_vips_linear($0, &$1, 1, 0.5, 1) }
    }
}

/// A new value for each of the 256 that a colour can have.
struct ToneTable {
    private let values: [UInt8]

    init(_ values: [UInt8]) {
        self.values = values
    }

    func apply(to picture: borrowing Picture) throws(ImagingError) -> Picture {
        let table = try VipsHandle(
            owning: vips_image_new_from_memory_copy(values, values.count, 256, 1, 1, VIPS_FORMAT_UCHAR))
        return try picture.step { pics_vips_maplut($0, &$1, table.pointer) }
    }

    /// The whole number for 0 to 1; what is beyond is cut.
    static func level(_ value: Double) -> UInt8 {
        UInt8(min(255, max(0, (value * 255).rounded())))
    }
}
