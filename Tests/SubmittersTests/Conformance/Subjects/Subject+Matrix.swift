internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let matrix = matrix("matrix")
    static let matrixes: [Subject] = {
        var video = matrix("matrix, a video")
        video.isVideo = true
        var pasted = matrix("matrix, a token that was entered")
        pasted.entries = {
            ["base_url": $0, "user_id": FakeMatrix.user, "access_token": FakeMatrix.token, "room": FakeMatrix.room]
        }
        var oneStep = matrix("matrix, files in one step") { $0.createsMedia = false }
        oneStep.steps = ["POST /_matrix/media/v3/upload"] + matrix.steps.dropFirst(2)
        oneStep.readByStatus = []
        return [
            matrix, video, matrixSeveral, pasted, oneStep,
            matrix("matrix, lists that lag behind") { $0.listDelay = 45 },
            matrix("matrix, a server that knows no transactions") { $0.transactionLife = 0 },
        ]
    }()

    /// Each picture is an event of its own.
    static let matrixSeveral: Subject = {
        var several = matrix("matrix, four pictures")
        several.companions = 3
        // There are no alternative texts that could stay as they are.
        several.editsPosts = false
        return several
    }()

    static func matrix(
        _ name: String, _ change: @escaping @Sendable (inout FakeMatrix.Options) -> Void = { _ in }
    ) -> Subject {
        let upload = "PUT /_matrix/media/v3/upload/{server}/{id}"
        return Subject(
            name: name, lacks: [.altText, .album], reasons: [.position: Showing.positionIsInFile],
            steps: [
                "POST /_matrix/media/v1/create", upload, "GET /_matrix/client/v3/rooms/{room}/state/{type}",
                "PUT /_matrix/client/v3/rooms/{room}/send/{type}/{transaction}",
            ],
            readByStatus: [upload], hasAltText: false,
            fake: { clock in
                var options = FakeMatrix.Options()
                change(&options)
                return FakeMatrix(options, now: clock.read)
            },
            submitter: { MatrixSubmitter(servers: .any, now: $0.clock.read) },
            entries: {
                [
                    "base_url": $0, "user_id": FakeMatrix.user, "password": FakeMatrix.password,
                    "room": FakeMatrix.alias,
                ]
            })
    }
}
