/// A span of time is written as a whole number and a unit: `250ms`, `30s`, `5m`, `2h`, `1d`.
extension Duration: SettingValue {
    package static var settingKind: String { "a duration such as 250ms, 30s, 5m, 2h or 1d" }

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    package init?(setting text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text.dropFirst(digits.count).trimmed
        guard let count = Int64(digits), let unit = Self.units.first(where: { $0.name == name }) else { return nil }
        let (milliseconds, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflow else { return nil }
        self = .milliseconds(milliseconds)
    }

    package var settingText: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        if milliseconds == 0 { return "0s" }
        for unit in Self.units where milliseconds.isMultiple(of: unit.milliseconds) {
            return "\(milliseconds / unit.milliseconds)\(unit.name)"
        }
        return "\(milliseconds)ms"
    }
}
