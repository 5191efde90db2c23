import Glibc
import Settings

/// A DNS name that certificates can be for: at least two labels of letters, digits and hyphens, without a wildcard.
struct DomainName: SettingValue, Hashable {
    /// In small letters.
    let text: String

    static var settingKind: String { "a name such as pics.example.org; others than of English letters as xn--…" }

    init?(setting text: String) {
        let labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
        // A last label of digits would be an address.
        guard isName, labels.count > 1, text.utf8.count <= 253, labels.last?.contains(where: \.isLetter) == true else {
            return nil
        }
        self.text = text.lowercased()
    }

    var settingText: String { text }
}

/// The settings of TLS, and of the certificates that Pics gets by itself.
extension PicsSettings {
    static let tlsDomain = Setting(
        "tls_domain", default: [DomainName](),
        meaning:
            "Names of this Pics for which it gets and renews a certificate by ACME; it then listens at ports 80 and 443, unless listen and listen_tls say otherwise, and base_url is https at the first."
    )
    static let acmeDirectory = Setting(
        "acme_directory", default: WebAddress(setting: "https://acme-v02.api.letsencrypt.org/directory"),
        meaning: "The directory of the certificate authority for tls_domain.")
    static let acmeAuthorities = Setting(
        "acme_ca_file", default: SettingPath?.none,
        meaning: "Certificates in PEM that acme_directory is trusted by; without it, those of the system.")
    static let listenTLS = Setting(
        "listen_tls", default: String?.none,
        meaning: "Where Pics listens for https beside listen, in the same form; needs tls_domain or tls_certificates.")
    static let tlsCertificates = Setting(
        "tls_certificates", default: String?.none,
        meaning: "CHAIN:KEY, two PEM files; several pairs are separated by spaces, and a client's server name chooses.")
    static let redirectToTLS = Setting(
        "redirect_to_tls", default: true,
        meaning: "Whether listen redirects to https once there is TLS.")
    static let strictTransport = Setting(
        "strict_transport", default: Duration.seconds(180 * 86_400), in: .zero...Duration.seconds(1000 * 86_400),
        meaning: "How long browsers use https alone after a visit by https (HSTS); 0 sends no such field.")
}

extension Configuration {
    /// The address for browsers: `base_url`, or https at the first `tls_domain`.
    var baseURL: WebAddress? {
        self[PicsSettings.baseURL]
            ?? self[PicsSettings.tlsDomain].first.flatMap { WebAddress(setting: "https://\($0.text)") }
    }

    /// `listen`; with `tls_domain`, port 80 of every address unless it is set.
    var listen: String {
        let isSet = source(of: PicsSettings.listen) != .standard
        return isSet || self[PicsSettings.tlsDomain].isEmpty ? self[PicsSettings.listen] : "\(Self.everyAddress):80"
    }

    /// `listen_tls`; with `tls_domain`, port 443 of every address unless it is set. Nil: without TLS.
    var listenTLS: String? {
        self[PicsSettings.listenTLS] ?? (self[PicsSettings.tlsDomain].isEmpty ? nil : "\(Self.everyAddress):443")
    }

    /// Of IPv6, which takes IPv4 as well, where the machine has it.
    private static var everyAddress: String { access("/proc/net/if_inet6", R_OK) == 0 ? "[::]" : "0.0.0.0" }
}
