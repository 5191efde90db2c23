internal import Domain
package import HTTP

/// A postal address. Personal data: it is stored sealed, and stands in no error, log or setting.
package struct PostalAddress: Sendable, Equatable {
    /// The fields by the names that problems, forms and JSON have.
    package enum Field: String, Sendable, CaseIterable {
        case name, company, line1, line2, city, region
        case postalCode = "postal_code"
        case country

        /// In UTF-16 units: what the strictest service takes (Lob's specification, addresses in the USA), and for city and region what fits a line.
        package var longest: Int {
            switch self {
            case .name, .company: 40
            case .line1, .line2: 64
            case .city, .region: 50
            case .postalCode: 12
            case .country: 2
            }
        }

        /// As problems call it.
        var label: String {
            switch self {
            case .name: "The recipient's name"
            case .company: "The recipient's company"
            case .line1: "The street"
            case .line2: "The second line of the address"
            case .city: "The city"
            case .region: "The state or region"
            case .postalCode: "The postal code"
            case .country: "The country"
            }
        }
    }

    package var name: String
    package var company: String?
    package var line1: String
    package var line2: String?
    package var city: String
    /// A state, province or prefecture; two letters in the USA.
    package var region: String?
    /// Empty where the country has none.
    package var postalCode: String
    /// ISO 3166-1, two capital letters.
    package var country: String

    package init(
        name: String, company: String? = nil, line1: String, line2: String? = nil, city: String, region: String? = nil,
        postalCode: String, country: String
    ) {
        (self.name, self.company) = (name, company)
        (self.line1, self.line2) = (line1, line2)
        (self.city, self.region) = (city, region)
        (self.postalCode, self.country) = (postalCode, country)
    }

    /// The address of these fields; what is left out is empty, or none.
    package init(_ fields: [Field: String]) {
        self.init(
            name: fields[.name] ?? "", company: fields[.company], line1: fields[.line1] ?? "", line2: fields[.line2],
            city: fields[.city] ?? "", region: fields[.region], postalCode: fields[.postalCode] ?? "",
            country: fields[.country] ?? "")
    }

    /// The value of a field; nil when it is left out.
    package subscript(field: Field) -> String? {
        switch field {
        case .name: name
        case .company: company
        case .line1: line1
        case .line2: line2
        case .city: city
        case .region: region
        case .postalCode: postalCode
        case .country: country
        }
    }
}

extension PostalAddress {
    package var json: JSONValue {
        .object(JSONObject(Field.allCases.compactMap { field in self[field].map { (field.rawValue, .string($0)) } }))
    }

    /// Nil when a needed member is missing or one is no text; the form is not checked.
    package init?(_ json: JSONValue) {
        guard let object = json.object else { return nil }
        var values: [Field: String] = [:]
        for field in Field.allCases {
            guard let value = object[field.rawValue], !value.isNull else { continue }
            guard let text = value.string else { return nil }
            values[field] = text
        }
        let needed: [Field] = [.name, .line1, .city, .postalCode, .country]
        guard needed.allSatisfy({ values[$0] != nil }) else { return nil }
        self.init(values)
    }
}

// MARK: The form

extension PostalAddress {
    /// The address without surplus white space, its postal code as the country writes it.
    ///
    /// - Throws: `.rejected` with the first field that is missing, too long, has control characters or is not what its country has. No value is told.
    package func checked() throws(SubmissionError) -> PostalAddress {
        let country = try Self.text(self.country, .country, isNeeded: true).uppercased()
        guard PostalCountry.all.contains(country) else { throw Self.invalid(.country, example: "FR") }
        var address = PostalAddress(
            name: try Self.text(name, .name, isNeeded: (company ?? "").allSatisfy(\.isWhitespace)),
            company: Self.filled(try Self.text(company ?? "", .company)),
            line1: try Self.text(line1, .line1, isNeeded: true),
            line2: Self.filled(try Self.text(line2 ?? "", .line2)), city: try Self.text(city, .city, isNeeded: true),
            region: Self.filled(try Self.text(region ?? "", .region)),
            postalCode: try Self.text(postalCode, .postalCode),
            country: country)
        if country == "US" {
            let state = (address.region ?? "").uppercased()
            guard !state.isEmpty else { throw Self.missing(.region) }
            guard PostalCountry.states.contains(state) else { throw Self.invalid(.region, example: "CA") }
            address.region = state
        }
        guard let shapes = PostalCountry.postalCodes[country] else { return address }
        guard !address.postalCode.isEmpty else { throw Self.missing(.postalCode) }
        guard let code = PostalCountry.postalCode(address.postalCode, shapes: shapes) else {
            throw Self.invalid(.postalCode, example: PostalCountry.example(shapes))
        }
        address.postalCode = code
        return address
    }

    private static func text(
        _ value: String, _ field: Field, isNeeded: Bool = false
    ) throws(SubmissionError) -> String {
        guard value.unicodeScalars.allSatisfy({ !isControl($0) }) else { throw invalid(field) }
        let text = value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty || !isNeeded else { throw missing(field) }
        guard text.utf16.count <= field.longest else { throw invalid(field) }
        return text
    }

    private static func filled(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// Whether a character is not printed, and may change how others are: controls, line separators, marks of direction and private use.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        case .format: scalar != "\u{200D}" && scalar != "\u{200C}"
        default: false
        }
    }

    static func missing(_ field: Field) -> SubmissionError {
        .rejected(.valueRequired, ProblemParameters(field: field.rawValue, label: field.label))
    }

    static func invalid(_ field: Field, example: String? = nil) -> SubmissionError {
        .rejected(.valueInvalid, ProblemParameters(field: field.rawValue, label: field.label, example: example))
    }
}
