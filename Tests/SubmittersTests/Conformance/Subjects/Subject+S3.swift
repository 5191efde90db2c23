internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let s3 = s3("s3")
    static let s3s: [Subject] = {
        var video = s3("s3, a video")
        video.isVideo = true
        return [s3, video]
    }()

    /// Its begin and its end are one call of the API: what goes wrong there is met in tests of its own.
    static let s3Parts = s3("s3, in parts", partBytes: 10_000)

    private static func s3(_ name: String, partBytes: Int64 = S3Submitter.partBytes) -> Subject {
        Subject(
            // The file, then the words beside it, by the same call.
            name: name, lacks: [.several, .altText, .counts, .refresh, .resume],
            reasons: [
                .position: Showing.positionIsInFile, .edit: Showing.wordsAreInFile, .revoke: Showing.ownerMadeKey,
            ], steps: ["PUT /{bucket}/{a}/{b}/{c}"], readByStatus: ["PUT /{bucket}/{a}/{b}/{c}"],
            // The bucket is gone.
            meanings: [.notFound: .unauthorized], hasAltText: false, fake: { FakeS3(now: $0.read) },
            submitter: { S3Submitter(servers: .any, threads: $0.threads, partBytes: partBytes, now: $0.clock.read) },
            entries: {
                [
                    "base_url": $0, "bucket": "my-photos", "access_key": FakeS3.accessKey,
                    "secret_key": FakeS3.secretKey,
                    "region": FakeS3.region,
                ]
            })
    }
}
