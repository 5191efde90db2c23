internal import CCrypto
internal import Crypto
package import EventLoops
internal import Foundation
package import HTTP
internal import HTTPServer
internal import Logging
internal import System

/// A push service at 127.0.0.1 with one browser: it checks who sends, opens what comes as the browser would, and answers what its
/// test says. What it computes is its own; only hashes are Pics's.
package final class FakePushService: Sendable {
    /// A message as the browser gets it.
    package struct Message: Sendable {
        package let fields: HTTPFields
        /// Whether it was signed for this service by the key that the browser has subscribed with, and not for too long.
        package let isSigned: Bool
        /// The claims of its token.
        package let claims: JSONValue
        /// What the browser reads; nil when it cannot be opened.
        package let text: [UInt8]?
        package let bytes: Int

        /// The notification in it.
        package var notification: JSONValue {
            text.flatMap { try? JSONValue(parsing: $0) }?["notification"] ?? .null
        }
    }

    private struct State {
        var messages: [Message] = []
        var serverKey: [UInt8] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// Where messages for the browser are taken.
    package let endpoint: String
    /// Scheme, host and port.
    package let origin: String
    /// The browser's keys, as a page gets them.
    package let p256dh: String
    package let auth: String

    private let browser: BrowserKeys
    private let server: Server
    private let state: Lock<State>

    /// Listens; `react` is told each message and how many came before, and says the status, and after how many seconds to retry.
    package init(
        on loop: EventLoop,
        _ react: @escaping @Sendable (Message, Int) -> (status: Int, fields: HTTPFields) = { _, _ in (201, [:]) }
    ) async throws {
        let state = Lock(State())
        let browser = try BrowserKeys()
        let place = Lock("")
        self.state = state
        self.browser = browser
        p256dh = Base64URL.encode(browser.point)
        auth = Base64URL.encode(browser.secret)
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.accessLog = false
        let route = Route(.post, "/push/{id}", operation: Operation("push", "Takes one.", responses: [])) { request in
            let bytes = try await request.body.collect(upTo: 4096)
            let (isSigned, claims) = Self.check(
                request.fields["Authorization"] ?? "", origin: place.withLock { $0 },
                key: state.withLock { $0.serverKey })
            let message = Message(
                fields: request.fields.all, isSigned: isSigned, claims: claims,
                text: request.fields["Content-Encoding"] == "aes128gcm" ? browser.open(bytes) : nil, bytes: bytes.count)
            let reaction = react(message, Self.keep(message, in: state))
            return HTTPResponse(HTTPStatus(code: reaction.status), fields: reaction.fields)
        }
        server = Server(
            configuration: configuration, loops: [loop], router: try Router([route]), logger: .silent,
            problem: Server.unknownProblem)
        origin = "http://\(try await server.start()[0])"
        endpoint = "\(origin)/push/\(UUID().uuidString)"
        place.withLock { $0 = origin }
    }

    /// The browser has subscribed with this public key, in base64url.
    package func subscribe(_ key: String) { state.withLock { $0.serverKey = Base64URL.decode(key) ?? [] } }

    /// The messages that have come until now.
    package var messages: [Message] { state.withLock { $0.messages } }

    /// The messages, once there are so many; the test's time limit bounds the wait.
    package func messages(_ count: Int) async -> [Message] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.messages.count < count { state.waiters.append((count, continuation)) }
                return state.messages.count >= count
            }
            if isThere { continuation.resume() }
        }
        return messages
    }

    /// Ends at once.
    package func stop() async { await server.stop(within: .zero) }

    private static func keep(_ message: Message, in state: Lock<State>) -> Int {
        let (before, ready) = state.withLock { state in
            state.messages.append(message)
            let count = state.messages.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (count - 1, ready)
        }
        for waiter in ready { waiter.continuation.resume() }
        return before
    }

    /// RFC 8292, sections 2 and 4.2.
    private static func check(_ field: String, origin: String, key: [UInt8]) -> (Bool, JSONValue) {
        guard let match = field.wholeMatch(of: #/vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/#),
            let header = Base64URL.decode(String(match.1)), let claims = Base64URL.decode(String(match.2)),
            let signature = Base64URL.decode(String(match.3)), let sender = Base64URL.decode(String(match.4)),
            let headerJSON = try? JSONValue(parsing: header), let json = try? JSONValue(parsing: claims)
        else { return (false, .null) }
        let life = Double(json["exp"]?.int ?? 0) - Date().timeIntervalSince1970
        let isRight =
            sender == key && headerJSON["alg"] == "ES256" && json["aud"]?.string == origin
            && (0...86_400).contains(life)
            && json["sub"]?.string?.contains(#/^(mailto|https):/#) == true
            && isSignature(signature, of: "\(match.1).\(match.2)", by: sender)
        return (isRight, json)
    }

    private static func isSignature(_ signature: [UInt8], of text: String, by point: [UInt8]) -> Bool {
        guard signature.count == 64, let key = publicKey(point), let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_PKEY_free(key)
            EVP_MD_CTX_free(context)
        }
        let numbers = [signature.prefix(32), signature.suffix(32)].flatMap { half -> [UInt8] in
            let digits = half.drop { $0 == 0 }
            let whole = (digits.first ?? 0) >= 0x80 ? [0] + Array(digits) : Array(digits)
            return [2, UInt8(whole.count)] + whole
        }
        let der = [0x30, UInt8(numbers.count)] + numbers
        let message = Array(text.utf8)
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }
}

/// The point as libcrypto has it; nil when it is none.
private func publicKey(_ point: [UInt8]) -> OpaquePointer? {
    let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    let bytes = prefix + point
    return bytes.withUnsafeBufferPointer { bytes in
        var start = bytes.baseAddress
        return d2i_PUBKEY(nil, &start, bytes.count)
    }
}

/// What a browser keeps of a subscription, and opens messages with (RFC 8291, section 3; RFC 8188, section 2).
private struct BrowserKeys: Sendable {
    private let key: SigningKey
    let secret = randomBytes(count: 16)
    var point: [UInt8] { key.publicPoint }

    init() throws { key = try SigningKey() }

    func open(_ message: [UInt8]) -> [UInt8]? {
        guard message.count > 86, Array(message[16..<21]) == [0, 0, 16, 0, 65] else { return nil }
        let salt = Array(message.prefix(16))
        let sender = Array(message[21..<86])
        guard let shared = try? key.sharedSecret(with: sender) else { return nil }
        func expand(_ secret: [UInt8], _ salt: [UInt8], _ info: [UInt8]) -> [UInt8] {
            HMAC.sha256(info + [1], key: HMAC.sha256(secret, key: salt))
        }
        let keying = expand(shared, secret, Array("WebPush: info\0".utf8) + point + sender)
        let contentKey = Array(expand(keying, salt, Array("Content-Encoding: aes128gcm\0".utf8)).prefix(16))
        let nonce = Array(expand(keying, salt, Array("Content-Encoding: nonce\0".utf8)).prefix(12))
        guard let padded = decrypt(Array(message[86...]), contentKey, nonce),
            let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 2
        else { return nil }
        return Array(padded[..<end])
    }

    private func decrypt(_ record: [UInt8], _ key: [UInt8], _ nonce: [UInt8]) -> [UInt8]? {
        guard record.count > 16, let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        let content = Array(record.dropLast(16))
        var tag = Array(record.suffix(16))
        var result = [UInt8](repeating: 0, count: content.count)
        var rest: [UInt8] = [0]
        var length: Int32 = 0
        guard EVP_DecryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1,
            EVP_DecryptUpdate(context, &result, &length, content, Int32(content.count)) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &tag) == 1,
            EVP_DecryptFinal_ex(context, &rest, &length) == 1
        else { return nil }
        return result
    }
}
