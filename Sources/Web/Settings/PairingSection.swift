internal import Crypto
internal import Formats
internal import HTTP

/// What is shown once of a new token: how a phone or a program posts with it.
struct PairingSection {
    let name: String
    let token: Secret<String>
    /// Whether the token may post.
    let mayPost: Bool
    /// Where Pics is, such as `https://pics.example`.
    let base: String
    let language: Language

    private var say: Language { language }
    private var address: String { "\(base)/v1/photos" }

    var html: HTML {
        """
        <section class="shown">
        <h2 dir="auto">\(name)</h2>
        <p><code>\(token.reveal())</code></p>
        <p>\(say(.copyTokenNow))</p>
        \(code)\(mayPost ? recipes : .nothing)</section>

        """
    }

    /// Address and token, for a telephone that is held before the screen.
    private var code: HTML {
        guard let qr = QRCode("\(base) \(token.reveal())") else { return .nothing }
        let picture = Base64.encode(Array(qr.svg.utf8))
        return """
            <details><summary>\(say(.qrCode))</summary>
            <img src="data:image/svg+xml;base64,\(picture)" width="240" height="240" alt="\(say(.addressAndToken))"></details>

            """
    }

    private var recipes: HTML {
        let authorization = "Authorization: Bearer \(token.reveal())"
        return """
            <details><summary>\(say(.onIPhone))</summary>
            <ol><li>\(say(.makeShortcut))</li><li>\(say(.shortcutRequest))</li><li>\(say(.requestFields))</li></ol>
            \(facts(authorization))</details>
            <details><summary>\(say(.onAndroid))</summary>
            <ol><li>\(say(.androidRequest))</li><li>\(say(.requestFields))</li></ol>
            \(facts(authorization))</details>
            <details><summary>curl</summary>
            <pre tabindex="0">curl -H '\(authorization)' -F photo=@photo.jpg -F caption='…' \(address)</pre></details>

            """
    }

    private func facts(_ authorization: String) -> HTML {
        "<pre tabindex=\"0\">POST \(address)\n\(authorization)</pre>\n"
    }
}
