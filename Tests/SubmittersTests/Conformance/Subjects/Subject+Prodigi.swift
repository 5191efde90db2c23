internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let prodigi = prodigi("prodigi")
    static let prodigis = [
        prodigi, prodigi("prodigi, pictures fetched later") { $0.fetchDelay = 90 },
        prodigi("prodigi, with an order edit window") { $0.holdWindow = 7200 },
    ]

    /// A card to Germany at the price of the fake.
    static let prodigiOrder = PrintOrder(
        format: FakeProdigi.sku, recipient: .sample, price: PrintPrice(minorUnits: 270, currency: "GBP"))

    static func prodigi(
        _ name: String, _ change: @escaping @Sendable (inout FakeProdigi.Options) -> Void = { _ in }
    ) -> Subject {
        var subject = Subject(
            name: name, lacks: [.video, .several, .altText, .album, .position, .edit, .counts, .refresh, .resume],
            reasons: [.revoke: Showing.ownerMadeKey], steps: ["POST /v4.0/quotes", "POST /v4.0/orders"],
            hasAltText: false, publishedText: "", keepsUploads: false, fetchesFiles: true,
            fake: { clock in
                var options = FakeProdigi.Options()
                change(&options)
                return FakeProdigi(options, fetch: Network.fetch, now: clock.read)
            },
            submitter: { ProdigiSubmitter(servers: .any, now: $0.clock.read) },
            entries: { ["base_url": $0, "api_key": FakeProdigi.Options().key] })
        (subject.order, subject.pictureSize) = (prodigiOrder, PictureSize(width: 1875, height: 1275))
        return subject
    }
}

extension PostalAddress {
    /// Words that stand nowhere else, so that they are found where they must not be.
    static let sample = PostalAddress(
        name: "Zerlina Quast", line1: "Birkenweg 7", city: "Oberursel", postalCode: "61440", country: "DE")

    static let american = PostalAddress(
        name: "Zerlina Quast", company: "Quast Lamps", line1: "1600 Birch Lane", line2: "Apt 4", city: "Wichita",
        region: "KS", postalCode: "67202", country: "US")
}
