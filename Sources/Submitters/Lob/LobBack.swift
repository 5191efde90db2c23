internal import FoundationEssentials

/// The written side of a card at Lob: the message on the left, nothing where Lob prints address, barcode and postage.
///
/// Source: Lob's templates of 4 × 6, 6 × 9 and 6 × 11 inches; the zone that stays free is 3.2835 × 2.375 inches (4 × 6), 4 × 2.375 (the others), at the right
/// and lower edge; read 2026-11-26.
struct LobBack: Sendable {
    let size: LobSize
    let message: String

    /// An HTML page of the card with its bleed; under 10,000 characters for a message of `LobSize.longestMessage`.
    var html: String {
        let font = isLong ? "8pt/10.5pt" : "10.5pt/14pt"
        return """
            <html><head><meta charset="utf-8"><style>*{margin:0;padding:0}\
            body{width:\(size.inches(size.width));height:\(size.inches(size.height));background:#fff}\
            #t{position:absolute;left:.375in;top:.375in;width:\(size.messageWidth)in;height:\(size.inches(size.height - 225));\
            overflow:hidden;font:\(font) Helvetica,Arial,sans-serif;color:#000;white-space:pre-wrap;overflow-wrap:anywhere}\
            </style></head><body><div id="t">\(Self.escaped(message))</div></body></html>
            """
    }

    /// Whether the message needs small letters: wide ones count twice.
    private var isLong: Bool {
        let wide = message.unicodeScalars.count { $0.value >= 0x1100 }
        return message.unicodeScalars.count + wide > 220 || message.split(separator: "\n").count > 8
    }

    /// Text as HTML. Braces too: Lob takes what stands in two of them for a variable.
    static func escaped(_ text: String) -> String {
        var html = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\"", "'", "{", "}", "`": html += "&#\(scalar.value);"
            default: html.unicodeScalars.append(scalar)
            }
        }
        return html
    }
}

/// A size of cards at Lob.
enum LobSize: String, Sendable, CaseIterable {
    case small = "4x6"
    case middle = "6x9"
    case large = "6x11"

    /// With bleed, in pixels at 300 dpi.
    var width: Int {
        switch self {
        case .small: 1875
        case .middle: 2775
        case .large: 3375
        }
    }

    var height: Int { self == .small ? 1275 : 1875 }

    /// Of an eighth of an inch, in pixels.
    static let bleed = 38

    /// Of the message, in inches.
    var messageWidth: Double {
        switch self {
        case .small: 2.0
        case .middle: 4.2
        case .large: 6.2
        }
    }

    var longestMessage: Int { self == .small ? 300 : 600 }
    var mostLines: Int { self == .small ? 10 : 18 }

    var format: PrintFormat {
        PrintFormat(
            id: rawValue, name: rawValue.replacing("x", with: " × ") + " in", width: width, height: height,
            trimInset: Self.bleed, needsAllPixels: true, longestMessage: longestMessage, mostLines: mostLines)
    }

    func inches(_ pixels: Int) -> String { "\(Double(pixels) / 300)in" }
}

/// The prices of cards, as their owner has entered them: Lob tells none to programs.
struct LobPrices: Sendable, Equatable {
    /// Inside the USA, by size.
    private(set) var sizes: [LobSize: PrintPrice] = [:]
    /// Of the small card, the only one that goes abroad.
    private(set) var abroad: PrintPrice?

    /// Reads `0.87 USD`, or a list such as `0.87 USD, 6x9 1.05 USD, abroad 1.60 USD`; nil for anything else, and without the price of the small card.
    init?(_ text: String) {
        for entry in text.split(separator: ",") {
            let words = entry.split(whereSeparator: \.isWhitespace)
            guard 2...3 ~= words.count,
                let price = PrintPrice(String(words[words.count - 2]), currency: String(words[words.count - 1])),
                price.minorUnits > 0
            else { return nil }
            let kind = words.count == 3 ? words[0].lowercased() : LobSize.small.rawValue
            if kind == "abroad" {
                guard abroad == nil else { return nil }
                abroad = price
            } else {
                guard let size = LobSize(rawValue: kind), sizes.updateValue(price, forKey: size) == nil else {
                    return nil
                }
            }
        }
        guard sizes[.small] != nil else { return nil }
    }

    /// Nil where the card does not go there, or its price is not known.
    func price(_ size: LobSize, isAbroad: Bool) -> PrintPrice? {
        isAbroad ? (size == .small ? abroad : nil) : sizes[size]
    }
}
