internal import HTTP
package import HTTPServer

/// The message of a page about the last action.
enum Notice {
    case done(Phrase)
    case failed(Phrase)

    func html(_ language: Language) -> HTML {
        switch self {
        case .done(let phrase): "<p class=\"notice\" role=\"status\">\(language.marked(phrase))</p>\n"
        case .failed(let phrase): "<p class=\"notice failed\" role=\"alert\">\(language.marked(phrase))</p>\n"
        }
    }
}

extension Page {
    /// The response with a page that is for one person alone: nobody keeps it, and no other site learns its address.
    func personal(_ status: HTTPStatus = .ok) -> HTTPResponse {
        var response = response(status, cache: "no-store")
        response.fields.set("Referrer-Policy", "same-origin")
        response.fields.add("X-Robots-Tag", "noindex")
        return response
    }
}

extension HTML {
    /// A field of a form with its label above and a hint below. `attributes` is everything but its name.
    static func field(_ label: String, name: String, _ attributes: HTML, hint: String? = nil) -> HTML {
        let hint: HTML = hint.map { "<small>\($0)</small>\n" } ?? .nothing
        return "<label>\(label)\n<input name=\"\(name)\" \(attributes)>\n\(hint)</label>\n"
    }

    /// The field of a password that is there already.
    static func currentPassword(_ label: String, isFocused: Bool = false) -> HTML {
        field(
            label, name: "password",
            """
            type="password" required autocomplete="current-password" maxlength="1024"\(isFocused ? .autofocus : .nothing)
            """)
    }

    /// The attribute of the field in which somebody begins to type.
    static let autofocus: HTML = " autofocus"

    /// The two fields of a new password.
    static func newPassword(_ label: Phrase, _ language: Language) -> HTML {
        let kind: HTML = "type=\"password\" required autocomplete=\"new-password\" maxlength=\"1024\""
        return join([
            field(language(label), name: "new_password", kind, hint: language(.newPasswordHint)),
            field(language(.sameAgain), name: "new_password_again", kind),
        ])
    }
}

extension PageHandlers {
    /// A page of a few sentences for a person who comes back from a service. What stands in its address is secret.
    func notice(
        _ title: Phrase, _ sentences: [Phrase], in language: Language, status: HTTPStatus, way: HTML = .nothing
    ) -> HTTPResponse {
        let paragraphs = sentences.map { "<p>\(language.marked($0))</p>\n" as HTML }
        let page = Page(
            language: language, title: language(title),
            content: "<h1>\(language(title))</h1>\n\(HTML.join(paragraphs))\(way)")
        var response = page.response(status, cache: "no-store")
        response.fields.set("Referrer-Policy", "no-referrer")
        response.fields.add("X-Robots-Tag", "noindex")
        return response
    }

    /// Sends the browser to an app.
    package func backToApp(_ address: String) -> HTTPResponse {
        HTTPResponse(
            .seeOther,
            fields: ["Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
    }
}
