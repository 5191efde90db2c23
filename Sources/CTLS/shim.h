// OpenSSL's macros, which Swift does not read: one wrapper or constant for each.
#pragma once
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static const uint64_t pics_tls_no_compression = SSL_OP_NO_COMPRESSION;
static const uint64_t pics_tls_no_renegotiation = SSL_OP_NO_RENEGOTIATION;
static const uint64_t pics_tls_no_tickets = SSL_OP_NO_TICKET;
static const uint64_t pics_tls_server_preference = SSL_OP_CIPHER_SERVER_PREFERENCE;
static const uint64_t pics_tls_prioritize_chacha = SSL_OP_PRIORITIZE_CHACHA;
static const uint64_t pics_tls_ignore_unexpected_eof = SSL_OP_IGNORE_UNEXPECTED_EOF;

static inline int pics_tls_set_versions(SSL_CTX *context, int minimum, int maximum) {
    return SSL_CTX_set_min_proto_version(context, minimum) == 1 && SSL_CTX_set_max_proto_version(context, maximum) == 1;
}

static inline int pics_tls_set_groups(SSL_CTX *context, const char *names) {
    return SSL_CTX_set1_groups_list(context, names) == 1;
}

static inline void pics_tls_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }

static inline void pics_tls_clear_mode(SSL_CTX *context, long mode) { SSL_CTX_clear_mode(context, mode); }

static inline void pics_tls_set_session_cache_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_session_cache_mode(context, mode);
}

static inline void pics_tls_set_server_name_callback(SSL_CTX *context, int (*callback)(SSL *, int *, void *)) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
}

/// The host that a client names (SNI).
static inline int pics_tls_set_server_name(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, name) == 1;
}

static inline int pics_tls_is_at_eof(BIO *bio) { return BIO_eof(bio); }

/// Keys a ticket's HMAC-SHA256. The parameters point at constants, so that no string of Swift's is outlived.
static inline int pics_tls_set_mac_key(EVP_MAC_CTX *context, void *key, size_t length) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key, length),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(context, parameters);
}

static inline int pics_tls_count_names(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

static inline GENERAL_NAME *pics_tls_name(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}

static inline int pics_tls_add_to_chain(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

/// Stands for the person who would be asked for a passphrase.
static inline int pics_tls_no_passphrase(char *buffer, int size, int writes, void *data) { return -1; }

/// Adds an extension to a certificate request, which has none before.
static inline int pics_tls_add_request_extension(X509_REQ *request, X509_EXTENSION *extension) {
    STACK_OF(X509_EXTENSION) *extensions = sk_X509_EXTENSION_new_null();
    int is_added = extensions && sk_X509_EXTENSION_push(extensions, extension) > 0
        && X509_REQ_add_extensions(request, extensions) == 1;
    sk_X509_EXTENSION_free(extensions);
    return is_added;
}

static inline EVP_PKEY *pics_tls_new_key(void) { return EVP_EC_gen("P-256"); }
