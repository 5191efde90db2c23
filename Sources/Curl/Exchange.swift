internal import CCurl
internal import Glibc
internal import HTTP

/// A use of an easy handle: a request with its response, or a connection that stays open. Confined to its transport's
/// loop.
class Exchange {
    var easy: EasyHandle
    var id: Multi.ExchangeID = 0
    let guardsAddress: Bool
    /// Why a callback stopped libcurl, which itself only knows that one did.
    var reason: TransportError?
    private let url: String

    init(url: String, guardsAddress: Bool) throws(TransportError) {
        self.url = url
        self.guardsAddress = guardsAddress
        easy = try EasyHandle()
    }

    /// The exchange that an easy handle belongs to.
    static func of(_ easy: UnsafeMutableRawPointer?) -> Exchange? {
        var context: UnsafeMutablePointer<CChar>?
        guard pics_curl_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK else { return nil }
        return from(context)
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: For subclasses

    /// Takes what libcurl has come to.
    func finish(_ code: CURLcode) {}

    /// Ends before libcurl has come to anything.
    func fail(_ error: TransportError) {}

    /// Takes a block of the body; returns whether libcurl waits for it.
    func receive(_ block: BodyReader.Block) -> Bool { false }

    /// Called when a connection stands and the request is about to be written: once, again for each redirect, and
    /// again when libcurl wants to repeat a request because a kept connection died under it.
    func mayBegin(at address: String) -> Bool {
        if guardsAddress, !isPublicAddress(address) { reason = .refusedAddress(place) }
        return reason == nil
    }

    // MARK: What happened

    func refuseAddress() { reason = .refusedAddress(place) }

    /// Where the request goes, after redirects too; fit for logs.
    var place: String {
        var effective: UnsafeMutablePointer<CChar>?
        guard pics_curl_get_pointer(easy.pointer, CURLINFO_EFFECTIVE_URL, &effective) == CURLE_OK, let effective else {
            return origin(of: url)
        }
        return origin(of: String(cString: effective))
    }

    /// Whether a byte of the request has left. libcurl counts them when the socket or TLS has taken them.
    var hasSent: Bool { easy.get(CURLINFO_REQUEST_SIZE) > 0 }

    /// The error that a code of libcurl's means.
    func error(_ code: CURLcode) -> TransportError {
        if let reason { return reason }
        // The texts of libcurl's codes name nothing of the request; its longer messages might.
        let cause = easy.get(CURLINFO_OS_ERRNO)
        let text =
            "\(place): \(String(cString: curl_easy_strerror(code)))"
            + (cause == 0 ? "" : " (\(String(cString: strerror(Int32(cause)))))")
        return hasSent ? .unanswered(text) : .notSent(text)
    }
}

extension Exchange {
    /// Tells libcurl how every connection is made; each option is described in `curl_easy_setopt(3)`.
    func configureConnection(
        _ options: CurlOptions, timeout: Duration, protocols: String = "http,https"
    ) throws(TransportError) {
        try easy.set(CURLOPT_PROTOCOLS_STR, protocols)
        try easy.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // A proxy would resolve the host by itself, out of the address guard's sight.
        try easy.set(CURLOPT_PROXY, "")
        // With a folder of certificates besides the file, libcurl would read and parse them all for each connection.
        try easy.set(CURLOPT_CAPATH, nil)
        if let file = options.authoritiesFile { try easy.set(CURLOPT_CAINFO, file) }
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_TIMEOUT_MS, milliseconds(timeout))
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(options.connectTimeout))
        // Else ending an exchange whose host is still being resolved would wait for the resolver, and the loop with it.
        try easy.set(CURLOPT_QUICK_EXIT, 1)
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_PRIVATE, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA] { try easy.set(option, context) }
        try easy.check(pics_curl_set_open_socket(easy.pointer, openSocket))
        try easy.check(
            pics_curl_set_before_request(easy.pointer) { context, address, _, _, _ in
                guard let address, Exchange.from(context)?.mayBegin(at: String(cString: address)) == true else {
                    return CURL_PREREQFUNC_ABORT
                }
                return CURL_PREREQFUNC_OK
            })
    }
}

/// Makes the socket that libcurl will connect, unless its address is refused.
private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ target: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let exchange = Exchange.from(context), let target else { return CURL_SOCKET_BAD }
    if exchange.guardsAddress, !isPublicAddress(&target.pointee.addr) {
        exchange.refuseAddress()
        return CURL_SOCKET_BAD
    }
    let kind = target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(target.pointee.family, kind, target.pointee.protocol)
}

/// At least 1, because 0 means no limit to libcurl.
private func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
}
