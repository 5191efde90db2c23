package import Domain
package import HTTP

/// A JSON value somewhere in a recipe, and where.
package struct RecipeValue {
    package let json: JSONValue
    /// RFC 6901, as a fragment.
    package let pointer: String

    package init(_ json: JSONValue, at pointer: String) {
        (self.json, self.pointer) = (json, pointer)
    }

    package func invalid(_ detail: String) -> InvalidField { .invalid(pointer, detail) }

    package func unknown(_ detail: String) -> InvalidField { .invalid(pointer, detail) }

    package func flag() throws(InvalidField) -> Bool {
        guard let flag = json.bool else { throw invalid("It must be true or false.") }
        return flag
    }

    package func number(in bounds: ClosedRange<Double>) throws(InvalidField) -> Double {
        guard let number = json.double, bounds.contains(number) else {
            throw invalid(
                "It must be a number from \(Self.text(bounds.lowerBound)) to \(Self.text(bounds.upperBound)).")
        }
        return number
    }

    package func whole(in bounds: ClosedRange<Int>) throws(InvalidField) -> Int {
        guard let number = json.int.flatMap({ Int(exactly: $0) }), bounds.contains(number) else {
            throw invalid("It must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound).")
        }
        return number
    }

    /// So many numbers, each from -`limit` to `limit`.
    package func numbers(count: Int, limit: Double) throws(InvalidField) -> [Double] {
        let numbers = json.array?.compactMap(\.double) ?? []
        guard numbers.count == count, json.array?.count == count, numbers.allSatisfy({ abs($0) <= limit }) else {
            throw invalid("It must be an array of \(count) numbers, each at most \(Self.text(limit)) either way.")
        }
        return numbers
    }

    /// The members of an object, none of which has another name.
    package func members(_ names: [String]) throws(InvalidField) -> [String: RecipeValue] {
        guard let object = json.object else { throw invalid("It must be a JSON object.") }
        var members: [String: RecipeValue] = [:]
        for member in object where !member.value.isNull {
            let value = RecipeValue(member.value, at: InvalidField.pointer(to: member.name, in: pointer))
            guard names.contains(member.name) else {
                throw value.unknown("There is no such member. There are \(names.joined(separator: ", ")).")
            }
            members[member.name] = value
        }
        return members
    }

    // MARK: Steps

    package func crop() throws(InvalidField) -> RecipeCrop {
        let members = try members(["x", "y", "width", "height"])
        let (x, y) = (try members["x"]?.number(in: 0...1) ?? 0, try members["y"]?.number(in: 0...1) ?? 0)
        let width = try members["width"]?.number(in: RecipeCrop.sideBounds) ?? 1 - x
        let height = try members["height"]?.number(in: RecipeCrop.sideBounds) ?? 1 - y
        guard let crop = RecipeCrop(x: x, y: y, width: width, height: height) else {
            throw invalid("It must lie inside the picture, whose width and height are 1.")
        }
        return crop
    }

    /// A name, or an object with a name and more.
    package func filter() throws(InvalidField) -> RecipeFilter {
        let members = json.string == nil ? try members(["name", "intensity", "size", "start", "end"]) : ["name": self]
        let name = try (members["name"] ?? self).choice(RecipeFilter.Name.self)
        let allowed: Set<String> =
            switch name {
            case .sepia: ["name", "intensity"]
            case .greyscale: ["name"]
            case .pixellate: ["name", "size"]
            case .vignette: ["name", "start", "end"]
            }
        for (other, value) in members where !allowed.contains(other) {
            throw value.unknown("A \(name.rawValue) filter has no \(other).")
        }
        switch name {
        case .greyscale: return .greyscale
        case .sepia:
            return .sepia(
                intensity: try members["intensity"]?.number(in: RecipeFilter.intensityBounds)
                    ?? RecipeFilter.usualIntensity)
        case .pixellate:
            return .pixellate(size: try members["size"]?.number(in: RecipeFilter.sizeBounds) ?? RecipeFilter.usualSize)
        case .vignette:
            let bounds = RecipeFilter.distanceBounds
            let start = try members["start"]?.number(in: bounds) ?? RecipeFilter.usualStart
            let end = try members["end"]?.number(in: bounds) ?? RecipeFilter.usualEnd
            guard start < end else { throw invalid("The start must be before the end.") }
            return .vignette(start: start, end: end)
        }
    }

    /// A name, or an object with a name and a width.
    package func frame() throws(InvalidField) -> RecipeFrame {
        let members = json.string == nil ? try members(["name", "width"]) : ["name": self]
        let name = try (members["name"] ?? self).choice(RecipeFrame.Name.self)
        let width = try members["width"]?.number(in: RecipeFrame.widthBounds) ?? RecipeFrame.usualWidth
        guard let frame = RecipeFrame(name, width: width) else { throw invalid("The frame is too wide or too thin.") }
        return frame
    }

    private func choice<Choice>(
        _ type: Choice.Type
    ) throws(InvalidField) -> Choice where Choice: RawRepresentable<String> & CaseIterable {
        guard let choice = json.string.flatMap({ Choice(rawValue: $0) }) else {
            throw invalid("It must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return choice
    }

    /// Without a point where there is nothing behind it.
    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { String($0) } ?? "\(number)"
    }
}

extension JSONValue {
    /// The object of a recipe; null for none.
    package init(_ recipe: Recipe?) {
        guard let recipe else {
            self = .null
            return
        }
        do { self = try JSONValue(parsing: Array(recipe.json.utf8)) } catch {
            preconditionFailure("the text of a recipe is not JSON: \(error)")
        }
    }
}
