/// Which certificate answers for which name.
struct ServerNames {
    private var exact: [String: Int] = [:]
    /// By what follows the `*`, such as `.example.org`.
    private var wildcards: [String: Int] = [:]

    /// Takes the names of each certificate, in lower case. Of several certificates for a name the first answers.
    init(_ certificates: [[String]]) {
        for (index, names) in certificates.enumerated() {
            for name in names {
                if name.hasPrefix("*.") {
                    wildcards.insertFirst(index, for: String(name.dropFirst()))
                } else {
                    exact.insertFirst(index, for: name)
                }
            }
        }
    }

    /// The certificate for `name`, whatever its case; a whole name goes before a wildcard.
    ///
    /// A `*` stands for exactly one label, the first (RFC 6125, section 6.4.3).
    func index(of name: String) -> Int? {
        let name = name.lowercased()
        if let index = exact[name] { return index }
        guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return nil }
        return wildcards[String(name[dot...])]
    }
}

extension [String: Int] {
    fileprivate mutating func insertFirst(_ index: Int, for name: String) {
        if self[name] == nil { self[name] = index }
    }
}
