internal import HTTP

/// With which camera a photo was taken, and how: `FUJIFILM X-T5 · XF35mmF1.4 R · 35 mm · f/2 · 1/250 s · ISO 160`.
enum CameraLine {
    private static let longestName = 80

    /// Nil when the camera has said nothing of it. `facts` is a JSON object of texts, as `photos.exif` has them.
    static func text(_ facts: String) -> String? {
        guard let facts = try? JSONValue(parsing: Array(facts.utf8)) else { return nil }
        func fact(_ name: String) -> String? {
            let text = (facts[name]?.string ?? "").prefix(longestName).split(whereSeparator: \.isWhitespace)
            return text.isEmpty ? nil : text.joined(separator: " ")
        }
        let parts = [
            body(fact("make"), fact("model")), fact("lens"), fact("focal_length").map { "\($0) mm" },
            fact("f_number").map { "f/\($0)" }, fact("exposure_time").map { "\($0) s" },
            fact("iso").map { "ISO \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    /// Many models begin with their maker's name.
    private static func body(_ make: String?, _ model: String?) -> String? {
        guard let make, let model else { return model ?? make }
        let brand = make.prefix { $0 != " " }
        return model.lowercased().hasPrefix(brand.lowercased()) ? model : "\(make) \(model)"
    }
}
