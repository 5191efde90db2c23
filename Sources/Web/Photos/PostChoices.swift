internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store
internal import Submitters
internal import System

/// The fields of a form that say where a post goes, who sees it, and when.
struct PostChoices {
    let draft: PhotoDraft
    /// Those that a post can go to.
    let accounts: [Account]
    /// Their own.
    let texts: [AccountID: String]
    /// The identifiers of those that are chosen.
    let chosen: Set<String>
    let albums: [String]
    let zone: Zone
    let registry: Registry
    let say: Language

    var html: HTML {
        """
        <fieldset><legend>\(say(.accounts))</legend>
        <input type="hidden" name="services" value="none">
        \(HTML.join(accounts.map(account)))<p class="facts"><a href="/settings/connections">\(say(.connectAnAccount))</a></p>
        </fieldset>
        <label>\(say(.visibility))
        <select name="visibility">
        \(HTML.join(Visibility.allCases.map(option)))</select></label>
        <label>\(say(.album))
        <input name="album" value="\(draft.album ?? "")" maxlength="100" list="albums" autocomplete="off"></label>
        <datalist id="albums">\(HTML.join(albums.map { "<option value=\"\($0)\">" }))</datalist>
        <label>\(say(.postLater))
        <input type="datetime-local" name="scheduled_at" value="\(scheduledAt)">
        <small>\(say(.postLaterHint(zone.name)))</small></label>
        \(labels)
        """
    }

    /// As the field wants it, on the owner's clock.
    private var scheduledAt: String {
        guard let date = draft.scheduledAt?.date(in: zone) else { return draft.scheduledAt?.text ?? "" }
        return String(zone.timestamp(date).prefix(16))
    }

    private func account(_ account: Account) -> HTML {
        let id = account.id.description
        let trouble: HTML =
            account.state == .needsLogin ? " <span class=\"state warn\">\(say(.needsLogin))</span>" : .nothing
        let text = texts[account.id] ?? ""
        let service = registry.name(of: account.service)
        return """
            <label class="choice"><input type="checkbox" name="services" value="\(id)"\(chosen.contains(id) ? " checked" : "")>
            \(Avatar(account, of: service).html(" small"))<span><strong>\(service)</strong> \
            <bdi>\(account.account)</bdi>\(trouble)<small data-count></small><small class="cut" data-cut hidden dir="auto"></small></span></label>
            <details class="own-text"\(text.isEmpty ? "" : " open")><summary>\(say(.ownText))</summary>
            <textarea name="texts[\(id)]" rows="3" dir="auto" aria-label="\(say(.ownText)): \(account.account)">\(text)</textarea></details>

            """
    }

    private func option(_ visibility: Visibility) -> HTML {
        """
        <option value="\(visibility.rawValue)"\(visibility == draft.visibility ? " selected" : "")>\
        \(say(.visibility(visibility)))</option>

        """
    }

    private var labels: HTML {
        let isOpen = draft.isSensitive || draft.contentWarning != nil || draft.language != nil
        return """
            <details\(isOpen ? " open" : "")><summary>\(say(.contentLabels))</summary>
            \(LabelFields(isSensitive: draft.isSensitive, warning: draft.contentWarning, language: draft.language, say: say).html)</details>

            """
    }
}

/// The fields that say what readers are told of a photo's content.
struct LabelFields {
    let isSensitive: Bool
    let warning: String?
    let language: String?
    let say: Language

    var html: HTML {
        """
        <label class="choice"><input type="checkbox" name="sensitive" value="true"\(isSensitive ? " checked" : "")>
        <span>\(say(.sensitiveContent))<small>\(say(.sensitiveExplained))</small></span></label>
        <label>\(say(.contentWarning))
        <input name="content_warning" value="\(warning ?? "")" maxlength="200" dir="auto"></label>
        <label>\(say(.languageOfCaption))
        <select name="language"><option value="">\(say(.notStated))</option>
        \(HTML.join(languages.map(option)))</select></label>

        """
    }

    /// What most people write, and the one that was chosen.
    private var languages: [String] {
        let usual = [
            "ar", "bn", "ca", "cs", "da", "de", "el", "en", "es", "eu", "fa", "fi", "fr", "ga", "gl", "he", "hi", "hu",
            "id",
            "is", "it", "ja", "ko", "lt", "lv", "nb", "nl", "pl", "pt", "pt-BR", "ro", "ru", "sk", "sl", "sv", "th",
            "tr",
            "uk", "vi", "zh-Hans", "zh-Hant",
        ]
        return usual + [language].compactMap(\.self).filter { !usual.contains($0) }
    }

    /// Each language names itself.
    private func option(_ tag: String) -> HTML {
        let name = Self.names[tag] ?? tag
        return "<option value=\"\(tag)\" lang=\"\(tag)\"\(tag == language ? " selected" : "")>\(name)</option>\n"
    }

    /// The names of languages in themselves, by their tags, as Foundation 6.3 has them.
    private static let names = [
        "ar": "العربية", "bn": "বাংলা", "ca": "català", "cs": "čeština", "da": "dansk", "de": "Deutsch", "el": "Ελληνικά",
        "en": "English", "es": "español", "eu": "euskara", "fa": "فارسی", "fi": "suomi", "fr": "français",
        "ga": "Gaeilge", "gl": "galego", "he": "עברית", "hi": "हिन्दी", "hu": "magyar", "id": "Indonesia", "is": "íslenska",
        "it": "italiano", "ja": "日本語", "ko": "한국어", "lt": "lietuvių", "lv": "latviešu", "nb": "norsk bokmål",
        "nl": "Nederlands", "pl": "polski", "pt": "português", "pt-BR": "português (Brasil)", "ro": "română",
        "ru": "русский", "sk": "slovenčina", "sl": "slovenščina", "sv": "svenska", "th": "ไทย", "tr": "Türkçe",
        "uk": "українська", "vi": "Tiếng Việt", "zh-Hans": "简体中文", "zh-Hant": "繁體中文",
    ]
}
