internal import CCurl
internal import Glibc

/// libcurl as a whole.
enum CurlLibrary {
    /// Set up once for the process; whether that worked.
    static let isReady: Bool = {
        // OpenSSL writes to sockets with write(2): a connection that the server closed must not end the process.
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}
