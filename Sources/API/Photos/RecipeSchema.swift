internal import Domain
internal import HTTP

/// A recipe's shape, as JSON Schema 2020-12; the bounds are those that are checked.
enum RecipeSchema {
    static let recipe: JSONValue = [
        "type": "object",
        "description": """
        What is shown of a photo, and how. The order is fixed: adjustment, rotate, crop, square, enhance, filter, saturation, \
        contrast, brightness, frame, fit.
        """,
        "additionalProperties": false,
        "properties": [
            "adjustment": adjustment, "rotate": number(Recipe.rotateBounds, "Degrees clockwise."), "crop": crop,
            "square": flag, "enhance": flag, "filter": filter,
            "saturation": number(Recipe.saturationBounds, "1 changes nothing."),
            "contrast": number(Recipe.contrastBounds, "1 changes nothing."),
            "brightness": number(Recipe.brightnessBounds, "Added; 1 is the whole range."), "frame": frame,
            "fit": whole(Recipe.fitBounds, "The longest side with the frame, in pixels."),
        ],
    ]

    private static let flag: JSONValue = ["type": ["boolean", "null"]]

    private static let crop: JSONValue = [
        "type": ["object", "null"], "description": "Parts of the picture's width and height.",
        "additionalProperties": false,
        "properties": [
            "x": number(0...1, "From the left."), "y": number(0...1, "From the top."),
            "width": number(RecipeCrop.sideBounds, "To the right edge when absent."),
            "height": number(RecipeCrop.sideBounds, "To the lower edge when absent."),
        ],
    ]

    private static let filter: JSONValue = named(
        RecipeFilter.Name.allCases.map(\.rawValue),
        [
            "intensity": number(RecipeFilter.intensityBounds, "Of sepia."),
            "size": number(RecipeFilter.sizeBounds, "Of pixellate's squares, as a part of the picture's width."),
            "start": number(RecipeFilter.distanceBounds, "Of a vignette; 0.5 is the middle of an edge."),
            "end": number(RecipeFilter.distanceBounds, "Of a vignette."),
        ])

    private static let frame: JSONValue = named(
        RecipeFrame.Name.allCases.map(\.rawValue),
        ["width": number(RecipeFrame.widthBounds, "As a part of the picture's shorter side.")])

    private static let adjustment: JSONValue = [
        "description": "Apple's AdjustmentXMP as it is, or the numbers in it.",
        "oneOf": [
            ["type": "string", "maxLength": .int(Int64(AdjustmentXMP.longest))],
            [
                "type": "object", "additionalProperties": false,
                "properties": [
                    "affine": numbers(6), "crop": numbers(4), "width": side, "height": side,
                    "orientation": ["type": ["integer", "null"], "minimum": 1, "maximum": 8],
                ],
                "anyOf": [
                    ["required": ["affine"], "properties": ["affine": ["type": "array"]]],
                    ["required": ["crop"], "properties": ["crop": ["type": "array"]]],
                ],
            ],
            ["type": "null"],
        ],
    ]

    private static let side: JSONValue = [
        "type": ["integer", "null"], "minimum": 1, "maximum": .int(Int64(AppleAdjustment.limit)),
    ]

    /// A name alone, or an object with it and more.
    private static func named(_ names: [String], _ others: JSONObject) -> JSONValue {
        let name: JSONValue = ["type": "string", "enum": JSONValue(names)]
        var properties: JSONObject = ["name": name]
        for member in others { properties[member.name] = member.value }
        return [
            "oneOf": [
                name,
                [
                    "type": "object", "properties": .object(properties), "required": ["name"],
                    "additionalProperties": false,
                ], ["type": "null"],
            ]
        ]
    }

    private static func number(_ bounds: ClosedRange<Double>, _ description: String) -> JSONValue {
        [
            "type": ["number", "null"], "minimum": .double(bounds.lowerBound), "maximum": .double(bounds.upperBound),
            "description": .string(description),
        ]
    }

    private static func whole(_ bounds: ClosedRange<Int>, _ description: String) -> JSONValue {
        [
            "type": ["integer", "null"], "minimum": JSONValue(bounds.lowerBound),
            "maximum": JSONValue(bounds.upperBound),
            "description": .string(description),
        ]
    }

    private static func numbers(_ count: Int) -> JSONValue {
        [
            "type": ["array", "null"],
            "items": [
                "type": "number", "minimum": .double(-AppleAdjustment.limit), "maximum": .double(AppleAdjustment.limit),
            ], "minItems": JSONValue(count), "maxItems": JSONValue(count),
        ]
    }
}
