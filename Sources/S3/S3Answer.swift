internal import Crypto
internal import Formats
package import FoundationEssentials
package import HTTP

/// An answer of a store, read.
///
/// Source: as `S3Requests`; "Error responses".
package struct S3Answer: Sendable {
    package let response: IncomingResponse
    private let root: XMLElement?

    /// Reads a response; white space may come before its document, to keep the connection open. A part of an object is no document.
    package init(_ response: IncomingResponse) {
        self.response = response
        guard response.status != .partialContent else {
            root = nil
            return
        }
        root = XMLElement(parsing: Array(response.body.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }))
    }

    package var status: HTTPStatus { response.status }

    /// The code of a refusal, such as `NoSuchKey`; nil in other answers, and in those without a body.
    package var code: String? { root?.name == "Error" ? root?["Code"]?.value : nil }

    /// A refusal as people read it: `AccessDenied: Access Denied.`; nil in other answers.
    package var words: String? {
        guard let root, root.name == "Error" else { return nil }
        return [root["Code"]?.value, root["Message"]?.value].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: ": ")
    }

    /// Whether an upload in parts is an object now: a refusal may come with 200.
    package var isCompletion: Bool { status.isSuccess && root?.name == "CompleteMultipartUploadResult" }

    /// Whether an object was copied: a refusal may come with 200.
    package var isCopy: Bool { status.isSuccess && root?.name == "CopyObjectResult" }

    /// The id of an upload that was begun.
    package var uploadID: String? {
        root?.name == "InitiateMultipartUploadResult" ? root?["UploadId"]?.value : nil
    }

    /// The region that a refused request should have named; nil where the answer does not tell.
    package var region: String? { response.fields["x-amz-bucket-region"] ?? root?["Region"]?.value }

    /// A page of a list; nil when the answer is none.
    package var list: S3List? {
        guard status.isSuccess, let root, root.name == "ListBucketResult" else { return nil }
        return S3List(
            objects: root.all("Contents").compactMap { object in
                guard let key = object["Key"]?.value, let bytes = object["Size"]?.value.flatMap({ Int64($0) }),
                    let time = object["LastModified"]?.value.flatMap({ Timestamp($0)?.date })
                else { return nil }
                return S3List.Object(key: key, bytes: bytes, modified: time)
            },
            folders: root.all("CommonPrefixes").compactMap { $0["Prefix"]?.value },
            next: root["IsTruncated"]?.value == "true" ? root["NextContinuationToken"]?.value : nil)
    }

    /// Uploads in parts that have not ended; nil when the answer is no list of them.
    package var uploads: [S3Upload]? {
        guard status.isSuccess, let root, root.name == "ListMultipartUploadsResult" else { return nil }
        return root.all("Upload").compactMap { upload in
            guard let key = upload["Key"]?.value, let id = upload["UploadId"]?.value,
                let begun = upload["Initiated"]?.value.flatMap({ Timestamp($0)?.date })
            else { return nil }
            return S3Upload(key: key, id: id, begun: begun)
        }
    }
}

/// A page of the list of a bucket.
package struct S3List: Sendable {
    package struct Object: Sendable {
        package let key: String
        package let bytes: Int64
        package let modified: Date
    }

    package let objects: [Object]
    /// With their slashes.
    package let folders: [String]
    /// Where the next page begins; nil: this is the last.
    package let next: String?
}

/// An upload in parts that has not ended.
package struct S3Upload: Sendable {
    package let key: String
    package let id: String
    package let begun: Date
}
