package import Domain
package import HTTP
package import Media

/// A recipe as a client sent it. A phone's adjustment counts in pixels of the stored picture, which only its file tells.
package struct RecipeDraft: Equatable {
    /// As it was sent.
    package let json: JSONValue
    private var recipe = Recipe()
    private var adjustment: AdjustmentDraft?

    /// The pointer of a recipe in a body or a form.
    package static let pointer = "#/recipe"

    /// Reads a JSON object; every member is optional.
    package init(_ json: JSONValue, at pointer: String = pointer) throws(InvalidField) {
        guard let members = json.object else { throw .invalid(pointer, "It must be a JSON object.") }
        self.json = json
        for member in members where !member.value.isNull {
            try take(member.name, RecipeValue(member.value, at: InvalidField.pointer(to: member.name, in: pointer)))
        }
    }

    /// Reads a JSON text, as forms and queries have it.
    package init(text: String) throws(InvalidField) {
        let json: JSONValue
        do { json = try JSONValue(parsing: Array(text.utf8)) } catch {
            throw .invalid(Self.pointer, "The text is not JSON: \(error).")
        }
        try self.init(json)
    }

    private static let names = [
        "adjustment", "rotate", "crop", "square", "enhance", "filter", "saturation", "contrast", "brightness", "frame",
        "fit",
    ]

    private mutating func take(_ name: String, _ value: RecipeValue) throws(InvalidField) {
        switch name {
        case "adjustment": adjustment = try AdjustmentDraft(value)
        case "rotate": recipe.rotate = try value.number(in: Recipe.rotateBounds)
        case "crop": recipe.crop = try value.crop()
        // False says nothing.
        case "square": recipe.square = try value.flag() ? true : nil
        case "enhance": recipe.enhance = try value.flag() ? true : nil
        case "filter": recipe.filter = try value.filter()
        case "saturation": recipe.saturation = try value.number(in: Recipe.saturationBounds)
        case "contrast": recipe.contrast = try value.number(in: Recipe.contrastBounds)
        case "brightness": recipe.brightness = try value.number(in: Recipe.brightnessBounds)
        case "frame": recipe.frame = try value.frame()
        case "fit": recipe.fit = try value.whole(in: Recipe.fitBounds)
        default: throw value.unknown("There is no such step. There are \(Self.names.joined(separator: ", ")).")
        }
    }

    /// Whether the facts of the file decide what it means.
    package var needsFacts: Bool { adjustment != nil }

    /// The recipe for a picture with these facts; nil when it changes nothing.
    package func recipe(for facts: PictureFacts?) throws(InvalidField) -> Recipe? {
        var recipe = recipe
        if let adjustment { recipe.adjustment = try adjustment.adjustment(for: facts) }
        return recipe.isEmpty ? nil : recipe
    }
}

/// A phone's adjustment as it was sent: its XMP, or the numbers in it.
package struct AdjustmentDraft: Equatable {
    private let affine: [Double]?
    private let crop: [Double]?
    private var width: Int?
    private var height: Int?
    private var orientation: Int?
    private let pointer: String

    package init(_ value: RecipeValue) throws(InvalidField) {
        pointer = value.pointer
        if let text = value.json.string {
            guard let xmp = AdjustmentXMP(text) else {
                throw value.invalid(
                    "It must be an AdjustmentXMP with AffineA to AffineY or CropX to CropH, of at most "
                        + "\(AdjustmentXMP.longest) bytes.")
            }
            (affine, crop) = (xmp.affine, xmp.crop)
            return
        }
        let members = try value.members(["affine", "crop", "width", "height", "orientation"])
        affine = try members["affine"]?.numbers(count: 6, limit: AppleAdjustment.limit)
        crop = try members["crop"]?.numbers(count: 4, limit: AppleAdjustment.limit)
        let sides = 1...Int(AppleAdjustment.limit)
        width = try members["width"]?.whole(in: sides)
        height = try members["height"]?.whole(in: sides)
        orientation = try members["orientation"]?.whole(in: 1...8)
        guard affine != nil || crop != nil else { throw value.invalid("It must have affine or crop.") }
        guard (width == nil) == (height == nil) else {
            throw value.invalid("It must have width and height, or neither.")
        }
    }

    /// A member that is left out is as the file has it.
    package func adjustment(for facts: PictureFacts?) throws(InvalidField) -> AppleAdjustment {
        let orientation = orientation ?? facts?.orientation ?? 1
        let isLying = orientation >= 5
        let stored = (width: isLying ? facts?.height : facts?.width, height: isLying ? facts?.width : facts?.height)
        guard
            let adjustment = AppleAdjustment(
                affine: affine, crop: crop, width: width ?? stored.width ?? 0, height: height ?? stored.height ?? 0,
                orientation: orientation)
        else { throw .invalid(pointer, "Nothing would be left of the picture, or it would be too large or too small.") }
        return adjustment
    }
}
