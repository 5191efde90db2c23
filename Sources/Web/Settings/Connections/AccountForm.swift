internal import Actions
internal import Domain
internal import HTTP
internal import Submitters

/// The form of the choices for an account: those that its service offers.
struct AccountForm {
    let submitter: any Submitter
    /// By name: what holds, or what was typed.
    let values: JSONObject
    let language: Language

    private var names: [String] { AccountChoices.names(of: submitter) }
    private var service: ServiceDescription { submitter.description }

    var fields: HTML {
        HTML.join(
            [
                (Phrase.wherePhotosGo, ["enabled", "visibility", "share"]),
                (.captions, ["caption", "caption_template", "caption_rule"]),
                (.pictures, ["quality", "auto_enhance", "keep_position"]),
            ].map { legend, members in
                let fields = members.filter(names.contains).map(field)
                guard !fields.isEmpty else { return .nothing }
                return "<fieldset>\n<legend>\(language(legend))</legend>\n\(HTML.join(fields))</fieldset>\n"
            })
    }

    private func field(_ name: String) -> HTML {
        switch name {
        case "enabled": box(name, .goesByDefault, hint: .elseOnlyNamed)
        case "caption": box(name, .goesWithCaption)
        case "keep_position": box(name, .tellsPosition)
        case "auto_enhance":
            box(name, .improveTones, hint: .improveTonesHint)
        case "share": box(name, .linkOpensFiles)
        case "visibility":
            list(
                name, .whoSees, usual: .asServiceHasIt(service.name),
                AccountVisibility.choices(of: service.id).map { ($0, .visibility($0, of: service.id)) })
        case "quality":
            list(name, .size, AccountPicture.Quality.allCases.map { ($0.rawValue, .quality($0)) })
        case "caption_rule":
            list(
                name, .captionRule, usual: .asServiceAsks(service.name), rules.map { ($0, .captionRule($0)) })
        default:
            HTML.field(
                language(.aroundCaption), name: name,
                """
                value="\(values[name]?.string ?? "")" maxlength="2000" placeholder="{caption}" autocomplete="off"
                """, hint: templateHint)
        }
    }

    private var templateHint: String {
        let words = language(.templateHint)
        return service.linkNote.map { "\(words) \(language(.note($0)))" } ?? words
    }

    /// Those of services, and another one that was chosen, such as by an app.
    private var rules: [String] {
        let named = CaptionRule.serviceNames
        guard let chosen = values["caption_rule"]?.string, !named.contains(chosen) else { return named }
        return named + [chosen]
    }

    private func box(_ name: String, _ text: Phrase, hint: Phrase? = nil) -> HTML {
        let checked: HTML = values[name]?.bool == true ? " checked" : .nothing
        let hint: HTML = hint.map { "<small>\(language($0))</small>" } ?? .nothing
        return """
            <label class="choice"><input type="checkbox" name="\(name)" value="yes"\(checked)> <span>\(language(text))\(hint)</span></label>

            """
    }

    private func list(
        _ name: String, _ label: Phrase, usual: Phrase? = nil, _ choices: [(value: String, title: Phrase)]
    ) -> HTML {
        let chosen = values[name]?.string ?? ""
        let all = (usual.map { [("", $0)] } ?? []) + choices
        let options = all.map { value, title -> HTML in
            let selected: HTML = value == chosen ? " selected" : .nothing
            return "<option value=\"\(value)\"\(selected)>\(language(title))</option>\n"
        }
        return "<label>\(language(label))\n<select name=\"\(name)\">\n\(HTML.join(options))</select>\n</label>\n"
    }

    /// The form as it was sent: all its fields, as members of the account's settings.
    static func read(_ form: FormFields, for submitter: any Submitter) -> JSONObject {
        var members = JSONObject()
        for name in AccountChoices.names(of: submitter) {
            switch name {
            // It has a page of its own.
            case "album": break
            // A box that is not checked is not sent.
            case "enabled", "caption", "keep_position", "share", "auto_enhance":
                members[name] = .bool(form[name] == "yes")
            default:
                let text = (form[name] ?? "").trimmed
                members[name] = text.isEmpty ? .null : .string(text)
            }
        }
        return members
    }
}
