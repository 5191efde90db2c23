/// A column of the table in `docs/services/README.md`: something that the suite shows of a service.
enum Showing: String, CaseIterable, Sendable {
    // Abilities.
    case connect
    case photo, video
    case several = "several pictures"
    case altText = "alt text"
    case album, position, edit, delete, counts
    case refresh
    case resume
    case reconcile
    case cancel
    case revoke

    // Failures.
    case status401 = "401"
    case renewed401 = "401, renewed"
    case status403 = "403"
    case status404 = "404"
    case status409 = "409"
    case status413 = "413"
    case status422 = "422"
    case limitWithPause = "429 with pause"
    case limitWithoutPause = "429 without"
    case serverTrouble = "5xx"
    case resetBefore = "reset before"
    case resetAfter = "reset after"
    case slow
    case malformed
    case cancelledStep = "cancel in each step"
    case crashedStep = "crash in each step"

    static let behaviours: [Showing] = [
        .connect, .photo, .video, .several, .altText, .album, .position, .edit, .delete, .counts, .refresh, .resume,
        .reconcile, .cancel, .revoke,
    ]

    static let failures = allCases.filter { !behaviours.contains($0) }

    init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .unauthorized: .status401
            case .forbidden: .status403
            case .notFound: .status404
            case .conflict: .status409
            case .tooLarge: .status413
            case .unprocessable: .status422
            case .tooMany: .limitWithoutPause
            }
    }

    init(_ trouble: Trouble) {
        self =
            switch trouble {
            case .internalError, .badGateway, .unavailable, .timeout: .serverTrouble
            case .resetBefore: .resetBefore
            case .resetAfter: .resetAfter
            case .malformed: .malformed
            }
    }
}
