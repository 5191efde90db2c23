internal import CTLS

extension TicketKeys {
    /// What OpenSSL shall do with a ticket (OpenSSL 3 manual, SSL_CTX_set_tlsext_ticket_key_evp_cb).
    enum Verdict: Int32 {
        case failed = -1
        /// The ticket is not ours: a full handshake follows.
        case unknown = 0
        case accepted = 1
        /// The session goes on, and the client gets a new ticket.
        case acceptedAndRenewed = 2
    }

    /// Prepares the sealing of a new ticket: fills in the key's name and a nonce, and keys both algorithms.
    func seal(
        name: UnsafeMutablePointer<UInt8>, nonce: UnsafeMutablePointer<UInt8>, cipher: OpaquePointer, mac: OpaquePointer
    ) -> Verdict {
        guard RAND_bytes(nonce, EVP_CIPHER_get_iv_length(EVP_aes_256_cbc())) == 1 else { return .failed }
        return withSealingKey { key in
            UnsafeMutableRawPointer(name).copyMemory(from: key.name, byteCount: TicketKey.nameLength)
            let cipherKey = key.cipherKey.assumingMemoryBound(to: UInt8.self)
            guard EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nil, cipherKey, nonce) == 1,
                pics_tls_set_mac_key(mac, key.macKey, TicketKey.keyLength) == 1
            else { return .failed }
            return .accepted
        }
    }

    /// Prepares the opening of a client's ticket.
    func open(
        name: UnsafeMutablePointer<UInt8>, nonce: UnsafeMutablePointer<UInt8>, cipher: OpaquePointer,
        mac: OpaquePointer, alwaysRenews: Bool
    ) -> Verdict {
        let verdict: Verdict? = withKey(named: name) { key, isCurrent in
            let cipherKey = key.cipherKey.assumingMemoryBound(to: UInt8.self)
            guard pics_tls_set_mac_key(mac, key.macKey, TicketKey.keyLength) == 1,
                EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nil, cipherKey, nonce) == 1
            else { return .failed }
            return isCurrent && !alwaysRenews ? .accepted : .acceptedAndRenewed
        }
        return verdict ?? .unknown
    }
}
