import FoundationEssentials
import HTTPServer
import Settings
import TLS

/// Where clients come in, as the settings and what this process inherited say.
struct Listeners {
    /// The setting that each listener comes from.
    let settings: [String]
    let listeners: [ListenerConfiguration]
    /// The certificates for TLS; nil when no listener has TLS.
    let certificates: TLSServerContext?

    /// Takes the addresses of the settings; `managed` is the certificate that Pics gets by itself.
    init(_ configuration: Configuration, _ listen: ListenAddress, managed: ManagedCertificate? = nil) throws {
        let inherited = Inheritance.current.sockets
        var plain = ListenerConfiguration(
            address: listen.address, port: listen.port, inherited: inherited[PicsSettings.listen.name] ?? [])
        guard let text = configuration.listenTLS else {
            (settings, listeners, certificates) = ([PicsSettings.listen.name], [plain], nil)
            return
        }
        let secure = try ListenAddress(text, setting: PicsSettings.listenTLS.name)
        let certificates = try managed?.context ?? Self.certificates(configuration[PicsSettings.tlsCertificates])
        if configuration[PicsSettings.redirectToTLS], secure.port != 0 { plain.role = .redirect(toPort: secure.port) }
        settings = [PicsSettings.listen.name, PicsSettings.listenTLS.name]
        listeners = [
            plain,
            ListenerConfiguration(
                address: secure.address, port: secure.port, inherited: inherited[PicsSettings.listenTLS.name] ?? [],
                tls: certificates),
        ]
        self.certificates = certificates
    }

    /// How clients reach Pics at these addresses: by https, if they can.
    func url(_ bound: [BoundAddress]) -> String {
        guard certificates != nil, let secure = bound.last else { return "http://\(bound[0])" }
        return "https://\(secure)"
    }

    /// The hosts that are served under these settings.
    func hosts(_ configuration: Configuration) -> HostPolicy {
        let hosts =
            configuration[PicsSettings.hosts]
            + [configuration[PicsSettings.shortBaseURL], configuration.baseURL].compactMap { $0 }
            .compactMap { ServedHost($0.host) }
            + configuration[PicsSettings.tlsDomain].compactMap { ServedHost($0.text) }
        let media = [configuration[PicsSettings.mediaURL]].compactMap { $0.flatMap { ServedHost($0.host) } }
        guard configuration.baseURL != nil else { return .local(and: hosts, mediaHosts: media) }
        return .only(hosts, mediaHosts: media, listenerNames: listeners.compactMap { ServedHost($0.address) })
    }

    /// The certificates of `tls_certificates`.
    static func certificates(_ text: String?) throws -> TLSServerContext {
        let identities = try (text ?? "").split(separator: " ").map { pair in
            let parts = pair.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw UsageError("tls_certificates must be CHAIN:KEY, two PEM files, not \(pair).")
            }
            return TLSIdentity(certificateChainFile: String(parts[0]), privateKeyFile: String(parts[1]))
        }
        guard !identities.isEmpty else { throw UsageError("listen_tls needs tls_domain or tls_certificates.") }
        return try TLSServerContext(identities: identities, protocols: ["h2", "http/1.1"])
    }
}
