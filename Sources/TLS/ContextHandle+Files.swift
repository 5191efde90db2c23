internal import CTLS

extension ContextHandle {
    /// Reads the files of `identity` and checks that they belong together.
    func load(_ identity: TLSIdentity) throws(TLSError) -> TLSCertificate {
        ErrorQueue.clear()
        // OpenSSL's own answer to a file with a passphrase would be to ask on the terminal.
        SSL_CTX_set_default_passwd_cb(pointer) { _, _, _, wasAsked in
            wasAsked?.assumingMemoryBound(to: Bool.self).pointee = true
            return -1
        }
        try loadCertificate(identity.certificateChainFile)
        try loadKey(identity)
        guard let certificate = SSL_CTX_get0_certificate(pointer) else { throw .library("show the certificate") }
        return try TLSCertificate(identity: identity, certificate: certificate)
    }

    private func loadCertificate(_ path: String) throws(TLSError) {
        guard SSL_CTX_use_certificate_chain_file(pointer, path) != 1 else { return }
        throw .file(path: path, problem(ErrorQueue.take(), without: .noCertificate))
    }

    private func loadKey(_ identity: TLSIdentity) throws(TLSError) {
        var wasAskedForPassphrase = false
        let isLoaded = withUnsafeMutablePointer(to: &wasAskedForPassphrase) { wasAsked in
            SSL_CTX_set_default_passwd_cb_userdata(pointer, wasAsked)
            defer { SSL_CTX_set_default_passwd_cb_userdata(pointer, nil) }
            return SSL_CTX_use_PrivateKey_file(pointer, identity.privateKeyFile, SSL_FILETYPE_PEM) == 1
        }
        if isLoaded, SSL_CTX_check_private_key(pointer) == 1 { return }

        let path = identity.privateKeyFile
        let cause = ErrorQueue.take()
        if wasAskedForPassphrase { throw .file(path: path, .needsPassphrase) }
        if isLoaded || cause?.isMismatch == true {
            throw .keyDoesNotFit(certificate: identity.certificateChainFile, key: path)
        }
        throw .file(path: path, problem(cause, without: .noKey))
    }

    private func problem(
        _ cause: ErrorQueue.Entry?, without nothing: TLSError.FileProblem
    ) -> TLSError.FileProblem {
        guard let cause else { return nothing }
        return cause.saysNothingFound ? nothing : .unusable(reason: cause.reason)
    }
}

extension ErrorQueue.Entry {
    /// A certificate of another key, or for another kind of key.
    fileprivate var isMismatch: Bool {
        `is`(X509_R_KEY_VALUES_MISMATCH, of: ERR_LIB_X509) || `is`(X509_R_KEY_TYPE_MISMATCH, of: ERR_LIB_X509)
    }

    /// No `-----BEGIN` of what was looked for.
    fileprivate var saysNothingFound: Bool {
        `is`(PEM_R_NO_START_LINE, of: ERR_LIB_PEM) || `is`(Int32(ERR_R_UNSUPPORTED), of: ERR_LIB_OSSL_DECODER)
    }
}
