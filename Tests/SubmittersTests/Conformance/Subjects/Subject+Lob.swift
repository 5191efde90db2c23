internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let lob = lob { _ in }

    /// A card inside the USA at the price that was entered.
    static let lobOrder = PrintOrder(
        format: "4x6", recipient: .american, message: Scene.text,
        price: PrintPrice(minorUnits: 87, currency: "USD"))

    static func lob(_ change: @escaping @Sendable (inout FakeLob.Options) -> Void) -> Subject {
        var subject = Subject(
            name: "lob", lacks: [.video, .several, .altText, .album, .position, .edit, .counts, .refresh, .resume],
            reasons: [.revoke: Showing.ownerMadeKey], steps: ["POST /v1/postcards"], hasAltText: false,
            keepsUploads: false,
            fake: { clock in
                var options = FakeLob.Options()
                change(&options)
                return FakeLob(options, now: clock.read)
            },
            submitter: { LobSubmitter(servers: .any, now: $0.clock.read) },
            entries: {
                [
                    "base_url": $0, "api_key": FakeLob.Options().key,
                    "price": "0.87 USD, 6x9 1.05 USD, abroad 1.60 USD",
                    "sender": "Alice Lake, 1 Main St, Springfield, IL, 62701",
                ]
            })
        (subject.order, subject.pictureSize) = (lobOrder, PictureSize(width: 1875, height: 1275))
        return subject
    }
}
