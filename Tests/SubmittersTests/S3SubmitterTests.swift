internal import Crypto
internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import S3
internal import System
internal import TestTools
internal import Testing

@testable internal import Submitters

struct S3SubmitterTests {
    /// Computed with botocore 1.40 for the same request.
    @Test func `a signature is the one that botocore makes`() throws {
        let request = S3Request(
            .put, "2026/11/café +1.jpg",
            in: S3Bucket(origin: "https://s3.example.com", name: "pics", region: "us-east-1", style: .path),
            fields: ["content-type": "image/jpeg", "x-amz-meta-caption": "hello"], sha256: SHA256Digest(of: "abc").hex)
        let time = try #require(Timestamp("2026-11-21T00:00:00Z")?.date)
        let signed = request.signed(
            S3Credentials(accessKey: FakeS3.accessKey, secretKey: Secret(FakeS3.secretKey)), at: time)

        #expect(signed.url == "https://s3.example.com/pics/2026/11/caf%C3%A9%20%2B1.jpg")
        #expect(
            signed.fields["Authorization"] == """
                AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261121/us-east-1/s3/aws4_request, \
                SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-meta-caption, \
                Signature=515c1c78b961f73006edaadc23d7720d4ad311f702383437c09ed9bbfa910795
                """)
    }

    @Test(arguments: [
        (
            "https://s3.eu-central-1.amazonaws.com", "my-photos",
            "https://my-photos.s3.eu-central-1.amazonaws.com/a/b.jpg"
        ),
        // A name with dots has no certificate in a host's name.
        (
            "https://s3.eu-central-1.amazonaws.com", "my.photos",
            "https://s3.eu-central-1.amazonaws.com/my.photos/a/b.jpg"
        ),
        ("https://minio.example:9000", "my-photos", "https://minio.example:9000/my-photos/a/b.jpg"),
    ])
    func `Amazon's buckets are named in the host, others in the path`(
        store: String, bucket: String, address: String
    ) async throws {
        let list = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"
        let server = Recording(.success(IncomingResponse(status: .ok, fields: [:], body: Array(list.utf8))))
        let account = try await submitter { s3 in
            try await s3.connect(
                ["base_url": store, "bucket": bucket, "access_key": "a", "secret_key": "b"], over: server)
        }
        let style = account.settings["style"]?.string.flatMap(S3Bucket.Style.init) ?? .path
        #expect(
            S3Bucket(origin: store, name: bucket, region: "", style: style).address(of: "a/b.jpg") == address)
        if store.contains("amazonaws") { #expect(account.settings["region"] == "eu-central-1") }
        #expect(
            server[0].line.hasPrefix("GET \(address.dropLast("a/b.jpg".count + (style == .path ? 1 : 0)))?list-type=2"))
    }

    @Test func `a store tells the region that a signature has to name`() async throws {
        try await withFake(FakeS3()) { _, server, transport in
            let account = try await submitter { s3 in
                try await s3.connect(entries(server.url, ["region": "us-east-1"]), over: transport)
            }
            #expect(account.settings["region"]?.string == FakeS3.region)
        }
    }

    @Test(arguments: [
        ["secret_key": "wrong"], ["access_key": "wrong"], ["bucket": "another"], ["bucket": "../x"],
        ["prefix": "a/../b"],
        ["public_url": "javascript:alert(1)"],
    ])
    func `what is wrong in what was entered is said, and nothing is stored`(wrong: [String: String]) async throws {
        try await withFake(FakeS3()) { service, server, transport in
            let outcome = await meaning {
                try await submitter { s3 in try await s3.connect(entries(server.url, wrong), over: transport) }
            }
            #expect(outcome == .rejected || outcome == .unauthorized)
            #expect(service.keys.isEmpty)
        }
    }

    @Test func `an upload in parts goes on where an attempt has ended, and leaves no part behind`() async throws {
        let put = Subject.s3Parts.steps[0]
        try await withScene(.s3Parts) { scene in
            scene.host?.fail(put, Fault.none, .status(500))
            #expect(await meaning { try await scene.submit() } == .temporary)
            let sent = scene.host?.requests.count { $0.request.query.contains("partNumber") } ?? 0
            let receipt = try await scene.submit()
            let fake = try #require(scene.host?.service as? FakeS3)
            #expect(fake.openUploads == 0)
            #expect(fake.effects.map(\.id) == [receipt.remoteID])
            let all = scene.host?.requests.filter { $0.request.query.contains("partNumber") } ?? []
            let numbers = all.compactMap { FormFields($0.request.query)?["partNumber"] }
            #expect(numbers.count == Set(numbers).count + 1 && sent == 2, "only the part that failed is sent again")
            try await scene.delete(receipt)
            #expect(fake.keys.isEmpty, "the words beside it go too")
        }
    }

    private static let post = Subject.s3Parts.steps[0].replacing("PUT", with: "POST")

    @Test(arguments: ["", "<html></html>", "<CompleteMultipartUploadRes", " \n<Error><Code>Inter"])
    func `an answer that does not say that a file is whole leaves that to a look`(body: String) async throws {
        try await withScene(.s3Parts) { scene in
            scene.host?.fail(Self.post, Fault.none, .status(200, body: body))
            #expect(await scene.meaningOfFirstFailure() == .unknownOutcome)
            let receipt = try await PlayedQueue(scene: scene).receipt()
            let fake = try #require(scene.host?.service as? FakeS3)
            #expect(fake.effects.map(\.id) == [receipt.remoteID] && fake.openUploads == 0)
        }
    }

    @Test(arguments: ["InvalidPart", "InvalidPartOrder"])
    func `an upload whose parts the store has lost begins anew`(code: String) async throws {
        try await withScene(.s3Parts) { scene in
            scene.host?.fail(Self.post, Fault.none, .status(400, body: "<Error><Code>\(code)</Code></Error>"))
            #expect(await scene.meaningOfFirstFailure() == .temporary)
            let receipt = try await PlayedQueue(scene: scene).receipt()
            let fake = try #require(scene.host?.service as? FakeS3)
            #expect(fake.effects.map(\.id) == [receipt.remoteID] && fake.openUploads == 0)
        }
    }

    @Test func `a look that the store refuses says neither that the file is there nor that it is not`() async throws {
        try await withScene(.s3) { scene in
            scene.host?.fail(Subject.s3.steps[0], .resetAfter)
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            scene.host?.fail(Subject.s3.steps[0].replacing("PUT", with: "HEAD"), .status(403))
            #expect(try await scene.reconcile() == .repeatable)
            let receipt = try await PlayedQueue(scene: scene).receipt()
            let fake = try #require(scene.host?.service as? FakeS3)
            #expect(fake.effects.map(\.id) == [receipt.remoteID])
        }
    }

    @Test func `a refusal is told in the store's words, not in its markup`() async throws {
        try await withFake(FakeS3()) { _, server, transport in
            do {
                _ = try await submitter { s3 in
                    try await s3.connect(entries(server.url, ["secret_key": "wrong"]), over: transport)
                }
                Issue.record("connected")
            } catch SubmissionError.unauthorized(let problem) {
                #expect(problem.detail?.hasPrefix("SignatureDoesNotMatch") == true)
                #expect(problem.detail?.contains("<") == false)
            }
        }
    }

    @Test func `a bucket that is gone holds the account until its owner names another`() async throws {
        try await withScene(.s3) { scene in
            scene.host?.fail(
                Subject.s3.steps[0], .status(404, body: "<Error><Code>NoSuchBucket</Code></Error>"))
            #expect(await meaning { try await scene.submit() } == .unauthorized)
        }
    }

    @Test func `a bucket that lists files without an end is not read without an end`() async throws {
        let page =
            "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken></ListBucketResult>"
        let answer = Result<IncomingResponse, TransportError>.success(
            IncomingResponse(status: .ok, fields: [:], body: Array(page.utf8)))
        let server = Endless(answer)
        let account = OpenedAccount.sample(
            ["access_key": "a", "secret_key": "b"],
            ["base_url": "https://s3.test", "bucket": "my-photos", "region": "us-east-1", "prefix": ""])
        let albums = try await submitter { s3 in try await s3.albums(of: account, over: server) }
        #expect(albums.isEmpty && server.count <= 20)
    }

    /// Answers everything alike.
    private final class Endless: Transport {
        private let answer: Result<IncomingResponse, TransportError>
        private let asked = Lock(0)

        init(_ answer: Result<IncomingResponse, TransportError>) { self.answer = answer }

        var count: Int { asked.withLock { $0 } }

        func send(_ request: OutgoingRequest) async throws(TransportError) -> IncomingResponse {
            asked.withLock { $0 += 1 }
            return try answer.get()
        }
    }

    private func entries(_ url: String, _ change: [String: String] = [:]) -> [String: String] {
        [
            "base_url": url, "bucket": "my-photos", "access_key": FakeS3.accessKey, "secret_key": FakeS3.secretKey,
            "region": FakeS3.region,
        ].merging(change) { $1 }
    }

    private func submitter<Value>(_ body: (S3Submitter) async throws -> Value) async throws -> Value {
        let threads = BlockingThreads(name: "files", count: 1)
        defer { threads.stop() }
        return try await body(S3Submitter(servers: .any, threads: threads))
    }
}
