internal import Connecting
internal import Domain
internal import HTTP
internal import Submitters

/// What an owner chooses for an account, as a form: what the service offers, and nothing else.
struct AccountForm {
    let submitter: any Submitter
    /// By name: what holds, or what was typed.
    let values: JSONObject

    private var names: [String] { AccountChoices.names(of: submitter) }
    private var service: ServiceDescription { submitter.description }

    var fields: HTML {
        HTML.join(
            [
                ("Where photos go", ["enabled", "visibility", "share"]),
                ("Captions", ["caption", "caption_template", "caption_rule"]),
                ("Pictures", ["quality", "auto_enhance", "keep_position"]),
            ].map { legend, members in
                let fields = members.filter(names.contains).map(field)
                guard !fields.isEmpty else { return .nothing }
                return "<fieldset>\n<legend>\(legend)</legend>\n\(HTML.join(fields))</fieldset>\n"
            })
    }

    private func field(_ name: String) -> HTML {
        switch name {
        case "enabled": box(name, "Photos go here by default", hint: "Else only those that name this account.")
        case "caption": box(name, "Photos go with their caption")
        case "keep_position": box(name, "Photos tell where they were taken")
        case "auto_enhance":
            box(
                name, "Improve tones before they leave",
                hint: "The copy that leaves is brightened; yours stays as it is.")
        case "share": box(name, "Everybody with the link may open the files")
        case "visibility":
            list(
                name, "Who sees the photos there", usual: "as \(service.name) has it",
                AccountVisibility.choices(of: service.id).map { ($0, $0.replacing("_", with: " ")) })
        case "quality":
            list(name, "Size", AccountPicture.Quality.allCases.map { ($0.rawValue, $0.title) })
        case "caption_rule":
            list(
                name, "How captions are counted and cut", usual: "as \(service.name) asks",
                rules.map { ($0, $0.replacing("_", with: " ")) })
        default:
            HTML.field(
                "What stands around the caption", name: name,
                """
                value="\(values[name]?.string ?? "")" maxlength="2000" placeholder="{caption}" autocomplete="off"
                """, hint: templateHint)
        }
    }

    private var templateHint: String {
        let words = "Such as Day {day} of {days}: {caption}. There are {date} and {short_url} too."
        return service.linkNote.map { "\(words) \($0)" } ?? words
    }

    /// The named ones, and the one that was chosen with another limit.
    private var rules: [String] {
        let named = CaptionRule.allNames
        guard let chosen = values["caption_rule"]?.string, !named.contains(chosen) else { return named }
        return named + [chosen]
    }

    private func box(_ name: String, _ text: String, hint: String? = nil) -> HTML {
        let checked: HTML = values[name]?.bool == true ? " checked" : .nothing
        let hint: HTML = hint.map { "<small>\($0)</small>" } ?? .nothing
        return """
            <label class="choice"><input type="checkbox" name="\(name)" value="yes"\(checked)> <span>\(text)\(hint)</span></label>

            """
    }

    private func list(
        _ name: String, _ label: String, usual: String? = nil, _ choices: [(value: String, title: String)]
    ) -> HTML {
        let chosen = values[name]?.string ?? ""
        let all = (usual.map { [("", $0)] } ?? []) + choices
        let options = all.map { value, title -> HTML in
            let selected: HTML = value == chosen ? " selected" : .nothing
            return "<option value=\"\(value)\"\(selected)>\(title)</option>\n"
        }
        return "<label>\(label)\n<select name=\"\(name)\">\n\(HTML.join(options))</select>\n</label>\n"
    }

    /// What was sent: all that this form shows, as members of the account's settings.
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
