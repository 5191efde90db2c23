internal import Crypto
package import FoundationEssentials
package import HTTP
internal import System

/// Gives the access key of a store: a fixed one, or the one of the machine's role, which its host renews.
///
/// Source: Amazon EC2 User Guide, "Use the Instance Metadata Service" (version 2) and "Retrieve security credentials"; read 2026-11-26.
package final class S3Keys: Sendable {
    private enum Source: Sendable {
        case fixed(S3Credentials)
        case instance(any Transport, origin: String)
    }

    /// The address of a machine's metadata.
    package static let metadataOrigin = "http://169.254.169.254"
    /// A key is read anew so long before it ends, in seconds.
    private static let margin: TimeInterval = 300

    private let source: Source
    private let known = Lock<(credentials: S3Credentials, end: Date)?>(nil)

    package init(_ credentials: S3Credentials) { source = .fixed(credentials) }

    /// The key of the role of the machine that this runs on.
    package init(ofInstanceOver transport: any Transport, origin: String = S3Keys.metadataOrigin) {
        source = .instance(transport, origin: origin)
    }

    /// The key for a request at `time`.
    ///
    /// - Throws: `S3KeyError` where the machine has none.
    package func credentials(at time: Date) async throws(S3KeyError) -> S3Credentials {
        switch source {
        case .fixed(let credentials): return credentials
        case .instance(let transport, let origin):
            if let known = known.withLock(\.self), known.end.timeIntervalSince(time) > Self.margin {
                return known.credentials
            }
            let read = try await Self.read(over: transport, origin)
            known.withLock { $0 = read }
            return read.credentials
        }
    }

    private static func read(
        over transport: any Transport, _ origin: String
    ) async throws(S3KeyError) -> (credentials: S3Credentials, end: Date) {
        let token = try await text(
            OutgoingRequest(
                method: .put, url: "\(origin)/latest/api/token",
                fields: ["X-aws-ec2-metadata-token-ttl-seconds": "60"], body: .bytes([])), over: transport)
        let folder = "\(origin)/latest/meta-data/iam/security-credentials/"
        let fields: HTTPFields = ["X-aws-ec2-metadata-token": token]
        let roles = try await text(OutgoingRequest(url: folder, fields: fields), over: transport)
        guard let role = roles.split(whereSeparator: \.isNewline).first else {
            throw S3KeyError("The machine has no role.")
        }
        let answer = try await text(
            OutgoingRequest(url: folder + PercentEncoding.encode(String(role)), fields: fields), over: transport)
        guard let json = try? JSONValue(parsing: Array(answer.utf8)), let id = json["AccessKeyId"]?.string,
            let secret = json["SecretAccessKey"]?.string,
            let end = json["Expiration"]?.string.flatMap({ Timestamp($0)?.date })
        else { throw S3KeyError("The machine's key cannot be read.") }
        return (S3Credentials(accessKey: id, secretKey: Secret(secret), sessionToken: json["Token"]?.string), end)
    }

    private static func text(
        _ request: OutgoingRequest, over transport: any Transport
    ) async throws(S3KeyError) -> String {
        var request = request
        request.addressPolicy = .any
        request.timeout = .seconds(5)
        do throws(TransportError) {
            let response = try await transport.send(request)
            guard response.status.isSuccess else { throw TransportError.unanswered("status \(response.status)") }
            return String(decoding: response.body, as: UTF8.self)
        } catch {
            throw S3KeyError("The machine's metadata cannot be read: \(error)")
        }
    }
}

/// Why there is no access key.
package struct S3KeyError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
