internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

/// Addresses on cards: their form, and that they stand nowhere in clear.
struct PostalAddressTests {
    private typealias Field = PostalAddress.Field

    @Test func `an address is made tidy, its postal code as the country writes it`() throws {
        let checked = try PostalAddress(
            name: "  Zoë  Lake ", company: " ", line1: "1  Main St", city: "London", postalCode: "sw1a1aa",
            country: "gb"
        )
        .checked()

        #expect(
            checked
                == PostalAddress(
                    name: "Zoë Lake", line1: "1 Main St", city: "London", postalCode: "SW1A 1AA", country: "GB"))
    }

    @Test(arguments: [
        ("JP", "1000001", "100-0001"), ("US", "672021234", "67202-1234"), ("CA", "k1a0b1", "K1A 0B1"),
        ("NL", "1012ab", "1012 AB"), ("SE", "11455", "114 55"), ("PT", "1000 001", "1000-001"), ("HK", "", ""),
        ("GB", "M1 1AE", "M1 1AE"), ("IE", "D02 X285", "D02 X285"),
    ])
    func `postal codes of many countries are read with and without their signs`(
        country: String, entered: String, written: String
    ) throws {
        var address = country == "US" ? PostalAddress.american : .sample
        (address.country, address.postalCode) = (country, entered)

        let checked = try address.checked()
        #expect(checked.postalCode == written)
    }

    @Test(arguments: [
        (Field.name, "", ProblemCode.valueRequired), (.line1, " ", .valueRequired), (.city, "", .valueRequired),
        (.country, "", .valueRequired), (.country, "XX", .valueInvalid), (.country, "DEU", .valueInvalid),
        (.postalCode, "", .valueRequired), (.postalCode, "6144", .valueInvalid), (.postalCode, "6144O", .valueInvalid),
        (.name, String(repeating: "x", count: 41), .valueInvalid),
        (.company, String(repeating: "x", count: 41), .valueInvalid),
        (.line1, String(repeating: "x", count: 65), .valueInvalid),
        (.line2, String(repeating: "x", count: 65), .valueInvalid),
        (.city, String(repeating: "x", count: 51), .valueInvalid),
        (.region, String(repeating: "x", count: 51), .valueInvalid),
        (.name, "a\u{0}b", .valueInvalid), (.line1, "a\nb", .valueInvalid), (.line2, "\u{202E}abc", .valueInvalid),
        (.city, "a\u{2028}b", .valueInvalid), (.region, "\u{1B}[1m", .valueInvalid),
        (.company, "\u{E000}", .valueInvalid),
    ])
    func `what is wrong names the field, and tells no value`(
        field: PostalAddress.Field, value: String, code: ProblemCode
    ) {
        let error = #expect(throws: SubmissionError.self) { try PostalAddress.sample.with(field, value).checked() }

        #expect(error?.problem.code == code && error?.problem.parameters.field == field.rawValue)
        guard case .rejected(let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.detail == nil && (value.count < 4 || !problem.problem.stored.contains(value)))
    }

    @Test(arguments: [("", ProblemCode.valueRequired), ("Kansas", .valueInvalid), ("ZZ", .valueInvalid)])
    func `an address in the USA has a state of two letters`(state: String, code: ProblemCode) {
        let error = #expect(throws: SubmissionError.self) {
            try PostalAddress.american.with(.region, state).checked()
        }

        #expect(error?.problem.code == code && error?.problem.parameters.field == "region")
    }

    @Test func `whatever is entered, what passes keeps the bounds and passes again`() throws {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("aZ09 -,.'äß東京🏔\u{301}\u{200D}\u{0}\u{7}\n\u{202E}\u{FEFF}{}<>&\"%".unicodeScalars)
        var passed = 0
        for _ in 0..<3000 {
            var address = PostalAddress.sample
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                guard let field = Field.allCases.randomElement(using: &random) else { continue }
                var text = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0...70, using: &random) {
                    text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
                }
                address = address.with(field, String(text))
            }
            guard let checked = try? address.checked() else { continue }
            passed += 1
            let again = try checked.checked()
            #expect(again == checked)
            #expect(PostalAddress(checked.json) == checked)
            for field in Field.allCases {
                let value = checked[field] ?? ""
                #expect(value.utf16.count <= field.longest)
                #expect(!value.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
            }
        }
        #expect(passed > 10)
    }

    @Test func `an order is read as it was written, and nothing else is read`() throws {
        let order = PrintOrder(
            format: "4x6", recipient: .american, message: "Föhn\n🏔️", price: PrintPrice(minorUnits: 87, currency: "USD"))

        #expect(PrintOrder(try JSONValue(parsing: order.json.serialized)) == order)
        #expect(PrintOrder([:]) == nil && PostalAddress(["name": 1]) == nil && PostalAddress(.null) == nil)
        for member in order.json.object ?? [:] {
            var damaged = order.json.object ?? [:]
            damaged[member.name] = 7
            #expect(PrintOrder(.object(damaged)) == nil, "\(member.name)")
        }
    }

    @Test(arguments: [
        ("7.5", "GBP", 750, "7.50 GBP"), ("7.501", "GBP", 751, "7.51 GBP"), ("120", "JPY", 120, "120 JPY"),
        ("119.1", "JPY", 120, "120 JPY"), ("0.05", "usd", 5, "0.05 USD"), ("1.0005", "KWD", 1001, "1.001 KWD"),
    ])
    func `amounts are read exactly, and rounded up`(amount: String, currency: String, units: Int64, text: String) {
        let price = PrintPrice(amount, currency: currency)

        #expect(price?.minorUnits == units && price?.description == text)
        #expect(price.flatMap { PrintPrice($0.json) } == price)
    }

    @Test(arguments: ["", "-1", "1,50", "1.", ".5", "1e3", "99999999", "1.5.0", "NaN", "１"])
    func `what is no amount is none`(amount: String) {
        #expect(PrintPrice(amount, currency: "EUR") == nil && PrintPrice("1", currency: "E") == nil)
    }

    // MARK: By the services

    @Test func `Lob gives an address as it prints it, a territory of the USA as a state`() async throws {
        try await withScene(.lob) { scene in
            let abroad = try await scene.check(.sample)
            var island = PostalAddress.american
            (island.country, island.region, island.postalCode) = ("PR", nil, "00901")
            let checked = try await scene.check(island)

            #expect(abroad.name == "ZERLINA QUAST" && abroad.country == "DE")
            #expect(checked.country == "US" && checked.region == "PR")
        }
    }

    @Test(arguments: [("prodigi", "FR"), ("lob", "RE")])
    func `a country that a service does not send to is refused by name`(service: String, country: String) async throws {
        try await withScene(service == "lob" ? .lob : .prodigi) { scene in
            var address = PostalAddress.sample
            (address.country, address.postalCode) = (country, "97400")

            let problem = await refusal { try await scene.check(address) }

            #expect(problem?.problem.code == .countryNotServed)
            #expect(problem?.problem.parameters.field == "country")
        }
    }

    @Test func `Lob sends nothing abroad without a sender, or without a price for it`() async throws {
        for (member, code) in [("sender", ProblemCode.valueRequired), ("price", .countryNotServed)] {
            var subject = Subject.lob
            let entries = subject.entries
            subject.entries = { url in
                entries(url).merging([member: member == "price" ? "0.87 USD" : ""]) { $1 }
            }
            try await withScene(subject) { scene in
                #expect(await refusal { try await scene.check(.sample) }?.problem.code == code)
                #expect(await refusal { try await scene.quote(to: .sample) }?.problem.code == code)
            }
        }
    }

    @Test func `a card abroad tells its sender, one inside the USA does not`() async throws {
        for (recipient, price, isAbroad) in [(PostalAddress.american, 87, false), (.sample, 160, true)] {
            let subject = Subject.lob.ordering { _ in
                PrintOrder(
                    format: "4x6", recipient: recipient, price: PrintPrice(minorUnits: Int64(price), currency: "USD"))
            }
            try await withScene(subject) { scene in
                _ = try await scene.submit()

                let form = try #require((scene.host?.service as? FakeLob)?.forms.first)
                #expect(form["from[name]"] == (isAbroad ? "Alice Lake" : nil))
                #expect(form["use_type"] == "operational" && form["to[name]"] == "ZERLINA QUAST")
            }
        }
    }

    @Test func `Prodigi gets a company as a line of the address`() async throws {
        let subject = Subject.prodigi.ordering {
            PrintOrder(format: $0.format, recipient: .american, price: $0.price)
        }
        try await withScene(subject) { scene in
            _ = try await scene.submit()

            let recipient = (scene.host?.service as? FakeProdigi)?.recipients.first
            #expect(recipient?["name"] == "Zerlina Quast")
            #expect(recipient?["address"]?["line1"] == "Quast Lamps")
            #expect(recipient?["address"]?["line2"] == "1600 Birch Lane, Apt 4")
        }
    }

    @Test(arguments: [
        ("prodigi", "99999", PostalAddress.Field.postalCode), ("lob", "00000", .line1),
    ])
    func `an address that a service refuses names the field, and stands in no problem`(
        service: String, code: String, field: PostalAddress.Field
    ) async throws {
        let subject = (service == "lob" ? Subject.lob : .prodigi).ordering {
            PrintOrder(format: $0.format, recipient: $0.recipient.with(.postalCode, code), price: $0.price)
        }
        try await withScene(subject) { scene in
            let problem = await refusal { try await scene.submit() }

            #expect(problem?.problem.code == .valueInvalid && problem?.problem.parameters.field == field.rawValue)
            #expect(problem?.detail != nil)
            Self.expectNoAddress(in: "\(String(describing: problem))")
        }
    }

    @Test(arguments: PostcardTests.subjects)
    func `no answer about an order leaves an address or the key in problems, journal, receipts and settings`(
        subject: Subject
    ) async throws {
        let faults: [Fault] = [
            .malformed, .resetAfter, .status(400, body: Self.echo), .status(401, body: Self.echo),
            .status(403, body: Self.echo), .status(404, body: Self.echo), .status(409, body: Self.echo),
            .status(422, body: Self.echo), .status(429, body: Self.echo), .status(500, body: Self.echo),
            .status(200, body: Self.echo), .status(302, body: Self.echo),
        ]
        for route in subject.steps + Self.later(subject) {
            for fault in faults {
                try await withScene(subject) { scene in
                    scene.host?.fail(route, fault)
                    var told = "\(scene.opened.settings) \(scene.identity)"
                    func note(_ call: () async throws -> some Any) async {
                        do { told += "\(try await call())" } catch { told += "\(error)" }
                    }
                    await note { try await scene.submit() }
                    await note { try await scene.reconcile() }
                    let receipt = Receipt(remoteID: scene.publishedIDs.first ?? "ord_1", url: nil)
                    await note { try await scene.state(receipt) }
                    await note { try await scene.delete(receipt) }
                    for key in ["order", "pics.open_outcome"] {
                        told += "\(String(describing: await scene.journal.value(key)))"
                    }

                    Self.expectNoAddress(in: told)
                    #expect(!told.contains("föhn") && !told.contains(scene.opened.credentials["api_key"]?.string ?? ""))
                }
            }
        }
    }

    private static func later(_ subject: Subject) -> [String] {
        subject.service == "lob"
            ? ["GET /v1/postcards", "GET /v1/postcards/{id}", "DELETE /v1/postcards/{id}"]
            : ["GET /v4.0/orders", "GET /v4.0/orders/{id}", "POST /v4.0/orders/{id}/actions/cancel"]
    }

    private static let echo = """
        {"error": {"code": "Zerlina Quast", "message": "1600 Birch Lane"}, "outcome": "Birkenweg 7",
         "failures": {"recipient of Zerlina": [{"code": "Birkenweg 7", "providedValue": "61440"}]}}
        """

    private static func expectNoAddress(in text: String) {
        for word in ["zerlina", "quast", "birk", "birch", "oberursel", "wichita", "61440", "67202", "main st"] {
            #expect(!text.lowercased().contains(word), "\(word) in \(text)")
        }
    }
}

extension PostalAddress {
    /// The same with another value of a field.
    func with(_ field: Field, _ value: String) -> PostalAddress {
        var address = self
        switch field {
        case .name: address.name = value
        case .company: address.company = value
        case .line1: address.line1 = value
        case .line2: address.line2 = value
        case .city: address.city = value
        case .region: address.region = value
        case .postalCode: address.postalCode = value
        case .country: address.country = value
        }
        return address
    }
}
