internal import System

/// Where Pics is reached from outside; without slashes at the ends.
///
/// Without a configured base the address is the one it listens at, which is known only once it listens.
package final class Addresses: Sendable {
    private struct Bases {
        var base: String
        var shortBase: String?
        var isConfigured: Bool
    }

    private let bases: Lock<Bases>
    /// Of a content delivery network in front of the pictures; nil without one.
    private let mediaBase: String?

    /// - Parameters:
    ///   - base: Of the API, the pages and the pictures, such as `https://pics.example`.
    ///   - shortBase: Of short links, such as `https://p.example`; nil when they begin as all else.
    ///   - mediaBase: Of the pictures and videos of photos that are not private, such as `https://media.example`; nil when they begin as
    ///     all else.
    package init(base: String, shortBase: String? = nil, mediaBase: String? = nil) {
        bases = Lock(Bases(base: base, shortBase: shortBase, isConfigured: !base.isEmpty))
        self.mediaBase = mediaBase
    }

    /// Of the API, the pages and the pictures.
    package var base: String { bases.withLock { $0.base } }

    /// Whether the operator has said where Pics is reached, rather than Pics itself.
    package var isConfigured: Bool { bases.withLock { $0.isConfigured } }

    /// Of short links.
    package var shortBase: String { bases.withLock { $0.shortBase ?? $0.base } }

    /// The short URL of a photo.
    package func shortURL(_ code: ShortCode) -> String { "\(shortBase)/\(code)" }

    /// The beginning of the addresses of a photo's pictures and video. A private photo's never begin with that of a content delivery
    /// network, which would keep them, and could not see who asks.
    package func mediaBase(of photo: Photo) -> String { deliveryBase(of: photo) ?? base }

    /// The same on a page of `base`, where it is left out.
    package func mediaPrefix(of photo: Photo) -> String { deliveryBase(of: photo) ?? "" }

    private func deliveryBase(of photo: Photo) -> String? {
        photo.visibility == .private || photo.deletedAt != nil ? nil : mediaBase
    }

    /// The origin that pages load pictures from beside their own (RFC 6454, section 6.2); nil for none.
    package var mediaOrigin: String? {
        mediaBase.map {
            $0.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        }
    }

    /// The code in the address of a photo, below either base; nil for any other address, also one with a query.
    package func code(at address: some StringProtocol) -> ShortCode? {
        for base in [base, shortBase] where address.hasPrefix("\(base)/") {
            if let code = ShortCode(address.dropFirst(base.count + 1)) { return code }
        }
        return nil
    }

    /// The address that Pics has found itself listening at.
    package func setBase(_ base: String) { bases.withLock { $0.base = base } }
}
