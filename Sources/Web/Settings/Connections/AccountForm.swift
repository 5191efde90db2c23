internal import Actions
internal import Domain
internal import HTTP
internal import Submitters
internal import System

/// The form of the choices for an account: those that its service offers.
struct AccountForm {
    let submitter: any Submitter
    /// By name: what holds, or what was typed.
    let values: JSONObject
    let language: Language

    private var service: ServiceDescription { submitter.description }

    var fields: HTML {
        let groups: [(legend: Phrase, choices: [AccountChoice])] = [
            (.wherePhotosGo, [.enabled, .visibility, .share]),
            (.postsFromApps, [.takesUnlisted, .postWord]),
            (.captions, [.caption, .captionTemplate, .captionRule, .longCaption]),
            (.pictures, [.quality, .autoEnhance, .keepPosition]),
        ]
        return HTML.join(
            groups.map { legend, choices in
                let fields = choices.filter { $0.isOffered(by: submitter) }.map(field)
                guard !fields.isEmpty else { return .nothing }
                return "<fieldset>\n<legend>\(language(legend))</legend>\n\(HTML.join(fields))</fieldset>\n"
            })
    }

    private func field(_ choice: AccountChoice) -> HTML {
        switch choice {
        case .enabled: box(choice, .goesByDefault, hint: .elseOnlyNamed)
        case .takesUnlisted: box(choice, .takesUnlisted)
        case .postWord:
            HTML.field(
                language(.postWord), name: choice.name,
                """
                value="\(values[choice.name]?.string ?? "")" maxlength="20" autocomplete="off" autocapitalize="none" \
                spellcheck="false"
                """, hint: language(.postWordHint))
        case .caption: box(choice, .goesWithCaption)
        case .keepPosition: box(choice, .tellsPosition)
        case .autoEnhance: box(choice, .improveTones, hint: .improveTonesHint)
        case .share: box(choice, .linkOpensFiles)
        case .visibility:
            list(
                choice, .whoSees, usual: .asServiceHasIt(service.name),
                service.visibilities.map { ($0.value, .visibility($0.audience)) })
        case .quality:
            list(choice, .size, AccountPicture.Quality.allCases.map { ($0.rawValue, .quality($0)) })
        case .captionRule:
            list(
                choice, .captionRule, usual: .asServiceAsks(service.name), rules.map { ($0, .captionRule($0)) })
        case .longCaption:
            list(
                choice, .longCaption,
                choice.values(for: submitter).compactMap(LongCaption.init).map { ($0.rawValue, .longCaption($0)) })
        case .captionTemplate:
            HTML.field(
                language(.aroundCaption), name: choice.name,
                """
                value="\(values[choice.name]?.string ?? "")" maxlength="\(AccountChoice.longestText)" \
                placeholder="{caption}" autocomplete="off"
                """, hint: templateHint)
        // It has a page of its own.
        case .album: .nothing
        }
    }

    private var templateHint: String {
        let words = language(.templateHint)
        return service.linkNote.map { "\(words) \(language(.linkNote($0, of: service.id)))" } ?? words
    }

    /// Those of services, and another one that was chosen, such as by an app.
    private var rules: [String] {
        let named = CaptionRule.serviceNames
        guard let chosen = values[AccountChoice.captionRule.name]?.string, !named.contains(chosen) else { return named }
        return named + [chosen]
    }

    private func box(_ choice: AccountChoice, _ text: Phrase, hint: Phrase? = nil) -> HTML {
        let checked: HTML = values[choice.name]?.bool == true ? " checked" : .nothing
        let hint: HTML = hint.map { "<small>\(language($0))</small>" } ?? .nothing
        return """
            <label class="choice"><input type="checkbox" name="\(choice.name)" value="yes"\(checked)> <span>\(language(text))\(hint)</span></label>

            """
    }

    private func list(
        _ choice: AccountChoice, _ label: Phrase, usual: Phrase? = nil, _ choices: [(value: String, title: Phrase)]
    ) -> HTML {
        let chosen = values[choice.name]?.string ?? ""
        let all = (usual.map { [("", $0)] } ?? []) + choices
        let options = all.map { value, title -> HTML in
            let selected: HTML = value == chosen ? " selected" : .nothing
            return "<option value=\"\(value)\"\(selected)>\(language(title))</option>\n"
        }
        return "<label>\(language(label))\n<select name=\"\(choice.name)\">\n\(HTML.join(options))</select>\n</label>\n"
    }

    /// The form as it was sent: all its fields, as members of the account's settings.
    static func read(_ form: FormFields, for submitter: any Submitter) -> JSONObject {
        var members = JSONObject()
        for choice in AccountChoices.offered(by: submitter) where choice != .album {
            if case .flag = choice.kind {
                // A box that is not checked is not sent.
                members[choice.name] = .bool(form[choice.name] == "yes")
            } else {
                let text = (form[choice.name] ?? "").trimmed
                members[choice.name] = text.isEmpty ? .null : .string(text)
            }
        }
        return members
    }
}
