internal import Crypto
internal import Formats
internal import System

/// The checksum of one part: `Upload-Checksum` of tus or `Content-Digest` (RFC 9530).
package struct PartChecksum: Sendable {
    /// As `Tus-Checksum-Algorithm` names them.
    package static let algorithms = "sha1,sha256,crc32"

    package enum Problem: Error {
        case unknownAlgorithm
        case malformed
    }

    private enum Algorithm: String { case sha1, sha256, crc32 }

    private let algorithm: Algorithm
    private let expected: [UInt8]

    /// The digest of a part as RFC 9530 announces it.
    package init(sha256: [UInt8]) { (algorithm, expected) = (.sha256, sha256) }

    /// Reads `Upload-Checksum`: `sha1 base64`.
    package init(_ text: String) throws(Problem) {
        let words = text.split(separator: " ")
        guard words.count == 2 else { throw .malformed }
        guard let algorithm = Algorithm(rawValue: words[0].lowercased()) else { throw .unknownAlgorithm }
        guard let expected = Base64.decode(String(words[1])) else { throw .malformed }
        (self.algorithm, self.expected) = (algorithm, expected)
    }

    /// Takes the bytes of a part as they come, on any thread.
    final class Running: Sendable {
        /// One of the two is there, until the end.
        private final class State {
            var hash: HashContext?
            var crc: CRC32?

            init(_ algorithm: Algorithm) {
                switch algorithm {
                case .sha1: hash = HashContext(.sha1)
                case .sha256: hash = HashContext(.sha256)
                case .crc32: crc = CRC32()
                }
            }
        }

        private let state: Lock<State>
        private let expected: [UInt8]

        init(_ checksum: PartChecksum) {
            expected = checksum.expected
            state = Lock(State(checksum.algorithm))
        }

        func update(_ bytes: ArraySlice<UInt8>) {
            state.withLock { state in
                state.hash?.update(bytes)
                state.crc?.update(bytes)
            }
        }

        /// Whether the bytes are those that were announced; asked once, at the end.
        var fits: Bool {
            state.withLock { state in
                guard let hash = state.hash.take() else { return state.crc?.bytes == expected }
                return hash.finish() == expected
            }
        }
    }
}
