package import HTTP

/// An amount of money.
package struct PrintPrice: Sendable, Equatable, CustomStringConvertible {
    /// In the currency's smallest unit, such as cents; not negative.
    package let minorUnits: Int64
    /// ISO 4217, such as `EUR`.
    package let currency: String

    package init(minorUnits: Int64, currency: String) { (self.minorUnits, self.currency) = (minorUnits, currency) }

    /// Reads a decimal amount such as `7.50`. What is finer than the smallest unit is rounded up: a price that is shown is never below the one that is paid.
    ///
    /// - Returns: Nil for a negative amount, for more than 1,000,000, and for anything else than digits with at most one point.
    package init?(_ amount: String, currency: String) {
        let currency = currency.uppercased()
        guard currency.wholeMatch(of: /[A-Z]{3}/) != nil,
            let match = amount.wholeMatch(of: /(\d{1,7})(?:\.(\d{1,9}))?/)?.output, let whole = Int64(match.1)
        else { return nil }
        let places = Self.places(currency)
        let fraction = String(match.2 ?? "")
        let kept = fraction.prefix(places) + String(repeating: "0", count: max(0, places - fraction.count))
        let scale = (0..<places).reduce(Int64(1)) { scale, _ in scale * 10 }
        let isRounded = fraction.dropFirst(places).contains { $0 != "0" }
        let minorUnits = whole * scale + (Int64(kept) ?? 0) + (isRounded ? 1 : 0)
        guard minorUnits <= 1_000_000 * scale else { return nil }
        self.init(minorUnits: minorUnits, currency: currency)
    }

    /// `7.50 EUR`, `120 JPY`.
    package var description: String {
        let places = Self.places(currency)
        guard places > 0 else { return "\(minorUnits) \(currency)" }
        let digits = String(minorUnits)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(padded.dropLast(places)).\(padded.suffix(places)) \(currency)"
    }

    /// Digits behind the point (ISO 4217, table A.1).
    private static func places(_ currency: String) -> Int {
        switch currency {
        case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
            "XOF",
            "XPF":
            0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        default: 2
        }
    }

    /// The sum; nil when the currencies differ.
    static func + (first: PrintPrice, second: PrintPrice) -> PrintPrice? {
        guard first.currency == second.currency else { return nil }
        return PrintPrice(minorUnits: first.minorUnits + second.minorUnits, currency: first.currency)
    }

    /// Whether somebody who confirmed `confirmed` has agreed to this price too: it is not higher, and in the same currency.
    func isCovered(by confirmed: PrintPrice) -> Bool {
        currency == confirmed.currency && minorUnits <= confirmed.minorUnits
    }
}

extension PrintPrice {
    package var json: JSONValue { ["minor_units": .int(minorUnits), "currency": .string(currency)] }

    package init?(_ json: JSONValue) {
        guard let minorUnits = json["minor_units"]?.int, minorUnits >= 0, let currency = json["currency"]?.string,
            currency.wholeMatch(of: /[A-Z]{3}/) != nil
        else { return nil }
        self.init(minorUnits: minorUnits, currency: currency)
    }
}
