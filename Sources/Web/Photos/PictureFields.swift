internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The edits of a picture as fields of a form: turn, crop, colours and frame. What a recipe says beyond them stays as it is.
struct PictureFields {
    /// The edits that the fields show; nil for none.
    var recipe: Recipe?
    let say: Language

    /// The names of the fields.
    static let names: Set<String> = [
        "turn", "straighten", "crop_left", "crop_top", "crop_width", "crop_height", "square", "enhance", "filter",
        "saturation",
        "contrast", "brightness", "frame",
    ]

    var html: HTML {
        let crop = recipe?.crop
        return """
            <div class="picture-fields" data-picture-fields>
            <label>\(say(.turnPicture))
            <select name="turn">\(options(Self.turns, Self.text(Double(turn))))</select></label>
            \(slider("straighten", .straighten, -45...45, step: 0.5, straightening, usual: 0))\
            <details class="numbers"\(crop == nil ? "" : " open")><summary>\(say(.cropPicture))</summary><div>
            \(percent("crop_left", .cropLeft, crop?.x ?? 0, usual: 0))\(percent("crop_top", .cropTop, crop?.y ?? 0, usual: 0))\
            \(percent("crop_width", .cropWidth, crop?.width ?? 1, usual: 100))\(percent("crop_height", .cropHeight, crop?.height ?? 1, usual: 100))</div></details>
            \(box("square", .squarePicture, recipe?.square == true))\(box("enhance", .enhancePicture, recipe?.enhance == true))\
            <label>\(say(.pictureFilter))
            <select name="filter">\(options(Self.filters, recipe?.filter?.name.rawValue ?? ""))</select></label>
            \(slider("saturation", .saturation, Recipe.saturationBounds, step: 0.05, recipe?.saturation ?? 1, usual: 1))\
            \(slider("contrast", .contrast, 0...2, step: 0.05, recipe?.contrast ?? 1, usual: 1))\
            \(slider("brightness", .brightness, -0.5...0.5, step: 0.02, recipe?.brightness ?? 0, usual: 0))\
            <label>\(say(.pictureFrame))
            <select name="frame">\(options(Self.frames, recipe?.frame?.name.rawValue ?? ""))</select></label>
            </div>

            """
    }

    private static let turns: [(String, Phrase)] = [
        ("0", .noEdit), ("90", .turnRight), ("180", .turnOver), ("270", .turnLeft),
    ]
    private static let filters: [(String, Phrase)] = [
        ("", .noEdit), ("greyscale", .greyscale), ("sepia", .sepia), ("vignette", .vignette), ("pixellate", .pixellate),
    ]
    private static let frames: [(String, Phrase)] = [("", .noEdit), ("white", .whiteFrame), ("black", .blackFrame)]

    /// Quarter turns of the recipe in degrees, from 0 to 270.
    private var turn: Int { ((Int(((recipe?.rotate ?? 0) / 90).rounded()) * 90) % 360 + 360) % 360 }

    /// The rest of its rotation, from -45 to 45.
    private var straightening: Double {
        let degrees = recipe?.rotate ?? 0
        return degrees - (degrees / 90).rounded() * 90
    }

    private func options(_ choices: [(String, Phrase)], _ chosen: String) -> HTML {
        HTML.join(
            choices.map { value, phrase in
                "<option value=\"\(value)\"\(value == chosen ? " selected" : "")>\(say(phrase))</option>"
            })
    }

    private func slider(
        _ name: String, _ label: Phrase, _ bounds: ClosedRange<Double>, step: Double, _ value: Double, usual: Double
    ) -> HTML {
        """
        <label>\(say(label))
        <input type="range" name="\(name)" min="\(Self.text(bounds.lowerBound))" max="\(Self.text(bounds.upperBound))" \
        step="\(Self.text(step))" value="\(Self.text(value))" data-usual="\(Self.text(usual))"><span class="value" aria-hidden="true"></span></label>

        """
    }

    /// A part of the picture's side, in percent.
    private func percent(_ name: String, _ label: Phrase, _ part: Double, usual: Int) -> HTML {
        """
        <label>\(say(label)) <input type="number" name="\(name)" min="0" max="100" step="any" data-usual="\(usual)" \
        value="\(Self.text((part * 1e4).rounded() / 100))" inputmode="decimal"></label>

        """
    }

    private func box(_ name: String, _ label: Phrase, _ isChecked: Bool) -> HTML {
        """
        <label class="choice"><input type="checkbox" name="\(name)" value="true"\(isChecked ? " checked" : "")>
        <span>\(say(label))</span></label>

        """
    }

    private static func text(_ number: Double) -> String { Int(exactly: number).map { String($0) } ?? "\(number)" }
}

// MARK: As a recipe

extension PictureFields {
    /// The recipe that fields mean: `last` with what they say instead. A field that is not there changes nothing. An empty object for
    /// a picture that stays as it came.
    ///
    /// - Throws: `InvalidField` for what is no number, or out of bounds.
    static func recipe(_ fields: FormFields, over last: Recipe?) throws(InvalidField) -> JSONObject {
        var members = JSONValue(last).object ?? [:]
        try rotate(fields, &members)
        try crop(fields, &members)
        for name in ["square", "enhance"] where fields["turn"] != nil {
            members[name] = fields[name] == "true" ? true : nil
        }
        for name in ["filter", "frame"] {
            // The same one keeps its further numbers.
            guard let choice = fields[name], choice != members[name]?["name"]?.string else { continue }
            members[name] = choice.isEmpty ? nil : .string(choice)
        }
        for (name, usual) in [("saturation", 1.0), ("contrast", 1.0), ("brightness", 0.0)] {
            guard let number = try number(name, fields) else { continue }
            members[name] = number == usual ? nil : .double(number)
        }
        // Its bounds are checked here, so that a mistake is told before anything is stored.
        _ = try RecipeDraft(.object(members))
        return members
    }

    /// The fields of a picture in a form, as a query.
    static func query(_ form: FormFields) -> String {
        var fields = FormFields()
        for pair in form.pairs where names.contains(pair.name) { fields.add(pair.name, pair.value) }
        return fields.encoded
    }

    /// The change from one recipe to another as a JSON merge patch (RFC 7396).
    static func patch(from last: JSONObject, to next: JSONObject) -> JSONObject {
        var patch = JSONObject()
        for member in last where next[member.name] == nil { patch[member.name] = .null }
        for member in next where last[member.name] != member.value {
            if let old = last[member.name]?.object {
                let new = member.value.object ?? ["name": member.value]
                patch[member.name] = .object(Self.patch(from: old, to: new))
            } else {
                patch[member.name] = member.value
            }
        }
        return patch
    }

    private static func rotate(_ fields: FormFields, _ members: inout JSONObject) throws(InvalidField) {
        guard fields["turn"] != nil || fields["straighten"] != nil else { return }
        let degrees = (try number("turn", fields) ?? 0) + (try number("straighten", fields) ?? 0)
        members["rotate"] = degrees == 0 ? nil : .double(degrees)
    }

    private static func crop(_ fields: FormFields, _ members: inout JSONObject) throws(InvalidField) {
        let names = ["crop_left", "crop_top", "crop_width", "crop_height"]
        guard names.contains(where: { fields[$0] != nil }) else { return }
        func part(_ name: String, _ usual: Double) throws(InvalidField) -> Double {
            let percent = try number(name, fields) ?? usual
            guard (0...100).contains(percent) else { throw .invalid("#/\(name)", "It must be 0 to 100.") }
            return percent / 100
        }
        let (x, y) = (try part("crop_left", 0), try part("crop_top", 0))
        // A width that reaches beyond the edge ends there: who moves the corner need not change the width first.
        let width = min(try part("crop_width", 100), 1 - x)
        let height = min(try part("crop_height", 100), 1 - y)
        guard x > 0 || y > 0 || width < 1 || height < 1 else {
            members["crop"] = nil
            return
        }
        members["crop"] = ["x": .double(x), "y": .double(y), "width": .double(width), "height": .double(height)]
    }

    /// Nil for a field that is empty or not there.
    private static func number(_ name: String, _ fields: FormFields) throws(InvalidField) -> Double? {
        guard let text = fields[name], !text.isEmpty else { return nil }
        guard let number = Double(text), number.isFinite else { throw .invalid("#/\(name)", "It must be a number.") }
        return number
    }
}

/// The fields beside the picture that they change. A script shows it as they say, and lets its crop be dragged.
struct PictureEditor {
    let fields: PictureFields
    /// What is shown before a script asks for anything else; nil where only a script knows.
    var picture: HTML = .nothing

    var html: HTML {
        let say = fields.say
        return """
            <div class="editor" data-editor>
            <div class="view" data-view>\(picture)<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="\(say(.pictureAsEdited))" data-made hidden><canvas data-sketch hidden></canvas>
            <p class="facts" data-unseen hidden>\(say(.pictureNotShown))</p>
            <div class="crop" data-crop hidden><span data-corner="nw"></span><span data-corner="ne"></span>\
            <span data-corner="sw"></span><span data-corner="se"></span></div></div>
            <div class="controls">
            <label hidden>\(say(.cropShape))
            <select data-shape><option value="">\(say(.freeShape))</option><option value="original">\(say(.originalShape))</option>\
            <option value="1">1:1</option><option value="1.3333">4:3</option><option value="0.75">3:4</option>\
            <option value="1.5">3:2</option><option value="0.6667">2:3</option><option value="1.7778">16:9</option></select></label>
            \(fields.html)</div>
            </div>

            """
    }
}
