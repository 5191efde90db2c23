internal import CCrypto

/// The process's libcrypto.
package enum CryptoLibrary {
    /// Keeps libcrypto usable until the process has ended. Call it before anything else of it is used.
    ///
    /// By itself it frees its tables in `exit`, under the hands of threads that still hash or encrypt
    /// (OPENSSL_init_crypto(3), "OPENSSL_INIT_NO_ATEXIT").
    package static func keepLoaded() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
