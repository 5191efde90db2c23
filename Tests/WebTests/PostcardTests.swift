import EventLoops
import Fakes
import Foundation
import HTTP
import Postgres
import TestPics
import TestTools
import Testing

/// Cards on paper, from the page of a photo and over the API, at a Prodigi of the test's own.
@Suite(.timeLimit(.minutes(5)))
struct PostcardTests {
    @Test func `a card is previewed with its price, ordered once, followed and cancelled over the API`() async throws {
        try await withPrinter { printer in
            let preview = try await printer.preview()
            #expect(preview["sandbox"]?.bool == true)
            #expect(preview["price"]?["total"]?["text"]?.string == "2.70 GBP")
            #expect(preview["price"]?["post"]?["text"]?.string == "1.50 GBP")
            // 48 × 64 upright, on a card of 1275 × 1875.
            #expect(preview["crop"] == ["x": 2, "y": 0, "width": 44, "height": 64])
            #expect(preview["coarse"]?.bool == true && preview["resolution"]?.int == 10)
            #expect(printer.service.orderCount == 0)

            let order = try #require(preview["order"])
            let made = try await printer.order(order, key: "\"one\"")
            #expect(made.status == .created)
            let again = try await printer.order(order, key: "\"one\"")
            let id = try #require(try JSONValue(parsing: made.body)["id"]?.string)
            #expect(try JSONValue(parsing: again.body)["id"]?.string == id)
            #expect(made.fields["Location"] == "\(printer.pics.base)/v1/postcards/\(id)")
            #expect(try await printer.pics.orderPostcards() == 1)
            #expect(printer.service.orderCount == 1)
            #expect(printer.service.recipients.first?["name"]?.string == "Zerlina Quast")
            #expect(printer.service.effects.first?.media.first?.mediaType == "image/jpeg")

            try await printer.pics.orderPostcards()
            let ordered = try await printer.pics.json("/v1/postcards/\(id)")
            #expect(ordered["state"]?.string == "ordered" && ordered["cancellable"]?.bool == true)
            #expect(ordered["recipient"]?["city"]?.string == "Oberursel")
            let list = try await printer.pics.json("/v1/photos/\(printer.photo)/postcards")
            #expect(list["items"]?.array?.map { $0["id"]?.string } == [id])

            #expect(try await printer.pics.ask(.delete, "/v1/postcards/\(id)").status == .accepted)
            try await printer.pics.orderPostcards()
            #expect(try await printer.pics.json("/v1/postcards/\(id)")["state"]?.string == "cancelled")
            #expect(printer.service.effects.isEmpty)
            #expect(try await printer.pics.ask(.delete, "/v1/postcards/\(id)").status == .accepted)
        }
    }

    @Test func `a price that was not shown for this very order cannot be confirmed`() async throws {
        try await withPrinter { printer in
            let order = try #require(try await printer.preview()["order"]?.object)
            func changed(_ name: String, _ value: JSONValue) -> JSONValue {
                var order = order
                order[name] = value
                return .object(order)
            }
            var other = try #require(order["recipient"]?.object)
            other["line1"] = "Elsewhere 1"
            for wrong in [
                changed("price", ["minor_units": 1, "currency": "GBP"]),
                changed("price", ["minor_units": 270, "currency": "JPY"]),
                changed("recipient", .object(other)), changed("message", "Hello"), changed("quote", "1.AAAA"),
                changed("quote", "9999999999.AAAAAAAAAAAAAAAAAAAAAA"),
            ] {
                let refused = try await printer.order(wrong)
                #expect(refused.status == .conflict)
                #expect(try JSONValue(parsing: refused.body)["type"]?.string == "/problems/price-not-shown")
            }
            let second = try await printer.pics.photoID("Another")
            #expect(try await printer.order(.object(order), of: second).status == .conflict)
            #expect(try await printer.order(.object(order)).status == .created)
            // Without a key a quote is good for one order; under a key nothing else is made.
            #expect(try await printer.order(.object(order)).status == .created)
            #expect(try await printer.pics.json("/v1/photos/\(printer.photo)/postcards")["items"]?.array?.count == 1)
            #expect(try await printer.order(.object(order), key: "\"k\"").status == .created)
            #expect(
                try await printer.order(changed("message", "Hello"), key: "\"k\"").status == .unprocessableContent)
            #expect(try await printer.pics.ask(.get, "/v1/photos/\(second)/postcards").status == .ok)
        }
    }

    @Test func `a higher price at the time of the order is not paid`() async throws {
        try await withPrinter { printer in
            let order = try #require(try await printer.preview()["order"])
            let made = try await printer.order(order)
            printer.service.change { $0.itemPrice = "1.21" }
            try await printer.pics.orderPostcards()
            let id = try #require(try JSONValue(parsing: made.body)["id"]?.string)
            let refused = try await printer.pics.json("/v1/postcards/\(id)")
            #expect(refused["state"]?.string == "rejected")
            #expect(refused["problem"]?["code"]?.string == "price_changed")
            #expect(printer.service.orderCount == 0)
        }
    }

    @Test func `an order whose answer is lost is one order`() async throws {
        try await withPrinter { printer in
            let made = try await printer.order(try #require(try await printer.preview()["order"]))
            let id = try #require(try JSONValue(parsing: made.body)["id"]?.string)
            printer.host.fail("POST /v4.0/orders", .resetAfter)
            try await printer.pics.orderPostcards()
            #expect(try await printer.pics.json("/v1/postcards/\(id)")["state"]?.string == "waiting")
            try await printer.pics.orderPostcards()
            #expect(try await printer.pics.json("/v1/postcards/\(id)")["state"]?.string == "ordered")
            #expect(printer.service.orderCount == 1)
        }
    }

    @Test func `orders are their owner's own, and an address is told to no other, no log and no table`() async throws {
        try await withPrinter { printer in
            let order = try #require(try await printer.preview()["order"])
            let made = try await printer.order(order)
            let id = try #require(try JSONValue(parsing: made.body)["id"]?.string)
            try await printer.pics.orderPostcards()
            let bob = try await printer.pics.addUser("bob")
            for (method, path) in [
                (HTTPMethod.get, "/v1/postcards/\(id)"), (.delete, "/v1/postcards/\(id)"),
                (.get, "/v1/photos/\(printer.photo)/postcards"),
            ] {
                let answer = try await printer.pics.ask(method, path, token: bob)
                #expect([.notFound, .ok].contains(answer.status))
                #expect(!String(decoding: answer.body, as: UTF8.self).contains("Quast"))
                #expect(try await printer.pics.send(method, path, isAnonymous: true).status == .unauthorized)
            }
            var browser = try await printer.pics.browser()
            let app = try await printer.pics.letAppIn(&browser).token
            #expect(try await printer.pics.ask(.get, "/v1/postcards/\(id)", token: app).status == .forbidden)
            #expect(
                try await printer.pics.ask(
                    .post, "/v1/photos/\(printer.photo)/postcards/preview", json: printer.draft, token: bob
                ).status == .notFound)
            let tables = try await printer.texts(
                "SELECT quote_ident(table_name) FROM information_schema.tables WHERE table_schema = current_schema()")
            for table in tables {
                for word in ["Quast", "Birkenweg", "61440"] {
                    let found = try await printer.texts(
                        "SELECT count(*)::text FROM \(table) t WHERE t::text LIKE '%\(word)%'")
                    #expect(found == ["0"], "\(table)")
                }
            }
            // The archive is stored without compression.
            let archive = try await printer.pics.send(.get, "/v1/export")
            #expect(archive.text.contains("postcards.json") && archive.text.contains("2.70 GBP"))
            for word in ["Quast", "Birkenweg", "61440"] {
                #expect(!printer.pics.logged.contains(word) && !archive.text.contains(word))
            }
        }
    }

    @Test
    func
        `an address that cannot be right is told by its field, and a draft and a country that is not served are refused`()
        async throws
    {
        try await withPrinter { printer in
            for (field, value) in [("postal_code", "abc"), ("city", ""), ("country", "FR")] {
                let refused = try await printer.pics.ask(
                    .post, "/v1/photos/\(printer.photo)/postcards/preview", json: printer.draft(field, value))
                #expect(refused.status == .unprocessableContent)
                #expect(
                    try JSONValue(parsing: refused.body)["errors"]?[0]?["pointer"]?.string
                        == "#/recipient/\(field)", "\(String(decoding: refused.body, as: UTF8.self))")
            }
            let posted = try await printer.pics.post(
                CameraPhoto.jpeg(9), caption: "Later", ["draft": "true", "services": "none"])
            let draft = try #require(try JSONValue(parsing: posted.body)["id"]?.string)
            let refused = try await printer.pics.ask(
                .post, "/v1/photos/\(draft)/postcards/preview", json: printer.draft)
            #expect(refused.status == .conflict)
        }
    }

    @Test func `no photo goes to a printer by itself, whichever way it is posted`() async throws {
        try await withPrinter { printer in
            let posted = try await printer.pics.post(CameraPhoto.jpeg(7), caption: "To all")
            #expect(posted.status == .created)
            #expect(
                try await printer.texts(
                    """
                    SELECT count(*)::text FROM submissions s JOIN connections c ON c.id = s.connection_id
                     WHERE c.service = 'prodigi'
                    """) == ["0"])
            var browser = try await printer.pics.browser()
            let new = try await browser.open("/new")
            #expect(new.status == 200 && !new.text.contains(printer.account))
            let texts = try await browser.submit(["caption": "A boat"], to: "/new/texts", from: "/new")
            #expect(texts.status == 200 && !texts.text.contains(printer.account))
            let page = try await browser.open("/\(printer.code)")
            #expect(!page.text.contains("name=\"services\" value=\"\(printer.account)\""))
            let token = try await printer.pics.letAppIn(&browser).token
            let targets = try await printer.pics.ask(.get, "/micropub?q=syndicate-to", token: token)
            #expect(targets.status == .ok && !targets.text.contains(printer.account))
        }
    }

    @Test func `a card is ordered from the page of its photo, without a script`() async throws {
        try await withPrinter { printer in
            var browser = try await printer.pics.browser()
            let photo = try await browser.open("/\(printer.code)")
            #expect(photo.text.contains("/\(printer.code)/postcard\""))
            let form = try await browser.open("/\(printer.code)/postcard")
            #expect(form.text.contains("autocomplete=\"shipping postal-code\"") && !form.text.contains("<textarea"))

            var fields: FormFields = ["card": "\(printer.account) \(FakeProdigi.sku)"]
            for (name, value) in Printer.recipient { fields.add(name, value) }
            var wrong: FormFields = ["card": "\(printer.account) \(FakeProdigi.sku)"]
            for (name, value) in Printer.recipient { wrong.add(name, name == "postal_code" ? "abc" : value) }
            let path = "/\(printer.code)/postcard"
            let refused = try await browser.submit(wrong, to: path, from: path)
            #expect(refused.status == 422 && refused.text.contains("value=\"Zerlina Quast\""))

            let preview = try await browser.submit(fields, to: path, from: path)
            #expect(preview.status == 200)
            #expect(preview.text.contains("viewBox=\"0 0 1275 1875\"") && preview.text.contains("xMidYMid slice"))
            #expect(
                preview.text.contains("Order for 2.70 GBP") && preview.text.contains("Test order: nothing is printed"))
            #expect(preview.text.contains("10 dots per inch"))
            let changed = try await browser.submit(
                fields.adding("change", "true"), to: path, from: path)
            #expect(changed.status == 200 && changed.text.contains("value=\"Birkenweg 7\""))

            for name in ["price", "currency", "quote"] {
                let value = preview.text.firstMatch(of: try Regex("name=\"\(name)\" value=\"([^\"]+)\""))?[1].substring
                fields.add(name, String(try #require(value)))
            }
            let ordered = try await browser.submit(fields, to: "\(path)/order", from: path)
            #expect(ordered.status == 303)
            let again = try await browser.submit(fields, to: "\(path)/order", from: path)
            #expect(again.location == ordered.location)
            let page = try #require(ordered.location)
            #expect(try await browser.open(page).text.contains("being ordered"))
            try await printer.pics.orderPostcards()
            try await printer.pics.orderPostcards()
            let shown = try await browser.open(page)
            #expect(shown.text.contains("ordered") && shown.text.contains("Zerlina Quast"))
            #expect(shown.text.contains("Cancel the order"))
            #expect(try await browser.open("/\(printer.code)").text.contains(page))
            _ = try await browser.submit([:], to: "\(page)/cancel", from: page)
            try await printer.pics.orderPostcards()
            #expect(try await browser.open(page).text.contains("cancelled"))
            let japanese = try await browser.open(page, with: ["Accept-Language": "ja"])
            #expect(japanese.text.contains("取り消し済み"))
            #expect(printer.service.orderCount == 1 && printer.service.effects.isEmpty)
            let stranger = try await printer.pics.send(.get, page, accept: "text/html", isAnonymous: true)
            #expect(!stranger.text.contains("Quast"))
        }
    }
}

/// A photo, and an account at a printer.
private struct Printer: Sendable {
    let pics: InProcessPics
    let service: FakeProdigi
    let host: FakeHost
    /// The account's identifier.
    let account: String
    let photo: String
    let code: String

    static let recipient = [
        ("name", "Zerlina Quast"), ("line1", "Birkenweg 7"), ("city", "Oberursel"), ("postal_code", "61440"),
        ("country", "DE"),
    ]

    /// The texts that a query of one column gives.
    func texts(_ sql: String) async throws -> [String] {
        try await pics.database.run(
            Query<String>("texts \(UUID())", "SELECT t FROM (\(sql)) AS x(t)") { row throws(PostgresError) in
                try row.get("t")
            })
    }

    var draft: JSONValue { draft("city", "Oberursel") }

    func draft(_ field: String, _ value: String) -> JSONValue {
        var recipient = JSONObject(Self.recipient.map { ($0.0, .string($0.1)) })
        recipient[field] = .string(value)
        return ["account": .string(account), "recipient": .object(recipient)]
    }

    func preview() async throws -> JSONValue {
        let answer = try await pics.ask(.post, "/v1/photos/\(photo)/postcards/preview", json: draft)
        #expect(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        return try JSONValue(parsing: answer.body)
    }

    func order(_ order: JSONValue, of other: String? = nil, key: String? = nil) async throws -> IncomingResponse {
        try await pics.ask(
            .post, "/v1/photos/\(other ?? photo)/postcards", json: order,
            with: key.map { ["Idempotency-Key": $0] } ?? [:])
    }
}

extension FormFields {
    fileprivate func adding(_ name: String, _ value: String) -> FormFields {
        var fields = self
        fields.add(name, value)
        return fields
    }
}

private func withPrinter(_ body: @escaping @Sendable (Printer) async throws -> Void) async throws {
    let reached = Box<InProcessPics?>(nil)
    let service = FakeProdigi { url in
        guard let answer = try? await reached.value?.send(.get, url, accept: "*/*", isAnonymous: true),
            answer.status == .ok
        else { return nil }
        return FetchedFile(bytes: answer.body, mediaType: answer.fields["Content-Type"] ?? "")
    }
    let host = FakeHost(service)
    let server = try await FakeServer(host, on: try EventLoop(name: "fakes"))
    do {
        // A printer fetches pictures only where the operator has said that it can.
        let settings = ["PICS_BASE_URL": "http://127.0.0.1:9", "PICS_HOSTS": "127.0.0.1"]
        try await withInProcessPics(settings: settings) { pics in
            reached.update { $0 = pics }
            pics.stand(at: pics.base)
            let photo = try await pics.photoID("A boat")
            let code = try #require(try await pics.json("/v1/photos/\(photo)")["code"]?.string)
            let connected = try await pics.ask(
                .post, "/v1/connections",
                json: [
                    "service": "prodigi",
                    "fields": ["base_url": .string(server.url), "api_key": .string(FakeProdigi.Options().key)],
                ])
            #expect(connected.status == .created)
            let account = try #require(try JSONValue(parsing: connected.body)["id"]?.string)
            try await body(
                Printer(pics: pics, service: service, host: host, account: account, photo: photo, code: code))
        }
        await server.stop()
    } catch {
        await server.stop()
        throw error
    }
}
