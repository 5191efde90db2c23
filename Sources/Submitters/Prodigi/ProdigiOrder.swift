internal import Domain
internal import FoundationEssentials
internal import HTTP

/// A product of Prodigi's catalogue, as far as a card needs it.
struct ProdigiProduct: Sendable {
    /// The print area that the picture is for.
    static let area = "default"

    let sku: String
    let name: String
    /// Of the picture, in pixels.
    let width: Int
    let height: Int
    let attributes: JSONValue
    /// Countries.
    let shipsTo: [String]
    /// Whether one picture makes the product, and the picture is one side of it: some have front and back in one.
    let isOnePicture: Bool

    /// Takes the first variant that has a print area `default`; nil without.
    init?(_ json: JSONValue) {
        guard let sku = json["sku"]?.string else { return nil }
        self.sku = sku
        name = json["description"]?.string.map { String($0.prefix(100)) } ?? sku
        let sizes = (json["variants"]?.array ?? []).map { ($0, $0["printAreaSizes"]?[Self.area]) }
        guard let (variant, size) = sizes.first(where: { $0.1 != nil }),
            let width = size?["horizontalResolution"]?.int, let height = size?["verticalResolution"]?.int,
            1...20_000 ~= width, 1...20_000 ~= height
        else { return nil }
        (self.width, self.height) = (Int(width), Int(height))
        attributes = variant["attributes"] ?? [:]
        shipsTo = (variant["shipsTo"]?.array ?? []).compactMap(\.string).filter { PostalCountry.all.contains($0) }
        let others = (json["printAreas"]?.object ?? [:]).filter { $0.name != Self.area }
        let isAlone = !others.contains { $0.value["required"]?.bool == true }
        isOnePicture = isAlone && Self.isSide(Double(width), Double(height), of: json["productDimensions"])
    }

    /// Whether a picture has the shape of the product, with some bleed; where the product's is not told, it is taken for it.
    private static func isSide(_ width: Double, _ height: Double, of dimensions: JSONValue?) -> Bool {
        guard let productWidth = dimensions?["width"]?.double, let productHeight = dimensions?["height"]?.double,
            productWidth > 0, productHeight > 0
        else { return true }
        let shape = max(width, height) / min(width, height)
        let productShape = max(productWidth, productHeight) / min(productWidth, productHeight)
        return abs(shape / productShape - 1) < 0.1
    }
}

/// An order at Prodigi, without its recipient.
struct ProdigiOrder: Sendable, Equatable {
    let id: String
    let reference: String?
    /// `InProgress`, `Complete`, `Cancelled`; nil while the account's edit window is open.
    let stage: String?
    /// By step, such as `downloadAssets`: `NotStarted`, `InProgress`, `Complete`, `Error`.
    private let details: [String: String]
    private let issues: [Issue]
    private let hasShipped: Bool
    private let trackingURL: String?

    private struct Issue: Sendable, Equatable {
        let code: String
        let url: String?
    }

    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, 1...100 ~= id.utf8.count else { return nil }
        self.id = id
        reference = json["merchantReference"]?.string
        let status = json["status"]
        stage = status?["stage"]?.string?.lowercased()
        details = Dictionary(
            (status?["details"]?.object ?? [:]).compactMap { member in
                member.value.string.map { (member.name, $0.lowercased()) }
            }, uniquingKeysWith: { first, _ in first })
        issues = (status?["issues"]?.array ?? []).compactMap { issue in
            issue["errorCode"]?.string.map {
                Issue(
                    code: $0.lowercased(),
                    url: IncomingResponse.webAddress(issue["authorisationDetails"]?["authorisationUrl"]))
            }
        }
        let shipments = json["shipments"]?.array ?? []
        hasShipped = shipments.contains { $0["status"]?.string?.lowercased() == "shipped" }
        trackingURL = shipments.lazy.compactMap { IncomingResponse.webAddress($0["tracking"]?["url"]) }.first
    }

    var isCancelled: Bool { stage == "cancelled" }

    /// Whether the picture is no longer needed: Prodigi has it, has given up fetching it, or wants it no more.
    var isDoneWithPicture: Bool {
        ["complete", "error"].contains(details["downloadAssets"] ?? "") || stage == "complete" || isCancelled
    }

    func state(isCancellable: Bool, at service: String) -> PrintState {
        let parameters = ProblemParameters(service: service)
        let payment = issues.first { $0.code.hasSuffix("requirespaymentauthorisation") }
        let stage: PrintState.Stage =
            if isCancelled {
                .cancelled
            } else if self.stage == "complete" || hasShipped {
                .mailed
            } else if issues.contains(where: { $0.code.contains("assets.failedtodownload") }) {
                .failed(Problem(.fileNotFetched, parameters))
            } else if issues.contains(where: { $0.code.hasSuffix("itemunavailable") }) {
                .failed(SubmissionError.productMissing(at: service).problem)
            } else if details.values.contains("error") {
                .failed(Problem(.fileRefused, parameters))
            } else if ["inprogress", "complete"].contains(details["inProduction"] ?? "") {
                .inProduction
            } else {
                .ordered
            }
        return PrintState(
            stage, isCancellable: isCancellable, trackingURL: trackingURL,
            problem: payment.map { _ in Problem(.paymentRequired, parameters) }, actionURL: payment?.url)
    }
}
