import Settings

/// What packages hold beside the program, made of the help of its commands: the man page, and the completion of bash.
enum ManPage {
    /// `pics(1)` as roff (groff_man(7)).
    static var text: String {
        let commands = Pics.commands.map { command in
            ".SS \(escaped(command.name))\n.nf\n\(escaped(command.help))\n.fi"
        }
        let settings = PicsSettings.sections.map { section in
            let items = section.settings.map { setting in
                let value = setting.defaultText.isEmpty ? "" : " Default: \(setting.defaultText)."
                return ".TP\n.B \(escaped(setting.name))\n\(escaped(setting.meaning + value))"
            }
            return ".SS \(escaped(section.title))\n\(items.joined(separator: "\n"))"
        }
        return """
            .TH PICS 1 "" "Pics \(version)" "User Commands"
            .SH NAME
            pics \\- photos, stored and sent on
            .SH SYNOPSIS
            .B pics
            .I COMMAND
            [\\-\\-config
            .IR FILE ]
            [\\-\\-SETTING
            .IR VALUE " ...]"
            .SH COMMANDS
            \(commands.joined(separator: "\n"))
            .SH SETTINGS
            In the settings file as NAME = VALUE, in the environment as PICS_NAME, on the command line as \\-\\-name VALUE; later ones win.
            \(settings.joined(separator: "\n"))
            .SH FILES
            .TP
            .I /etc/pics/pics.conf
            Settings of the Debian package; else config/pics.conf in the current folder, or the one that PICS_CONFIG names.
            .TP
            .I /etc/pics/secrets
            Lines NAME=VALUE for the systemd units, such as PICS_DATABASE_URL, for root alone.
            .TP
            .I /var/lib/pics
            Photos, keys and the private PostgreSQL of the Debian package.
            .SH EXIT STATUS
            0 when all is well, 1 when something went wrong, 2 for a mistake on the command line or in the settings.

            """
    }

    /// A function that completes commands and options.
    static var completion: String {
        let names = Pics.commands.map { $0.name } + ["help", "version"]
        let cases = Pics.commands.map { command in
            let own = command.options.union(command.flags).sorted().map { "--\($0)" }
            return "        \(command.name)) own=\"\(own.joined(separator: " "))\" ;;"
        }
        let settings = PicsSettings.options.sorted().map { "--\($0)" }
        return """
            # Completion of pics for bash.
            _pics() {
                local word=${COMP_WORDS[COMP_CWORD]} own=
                if [[ $COMP_CWORD -eq 1 ]]; then
                    COMPREPLY=($(compgen -W "\(names.joined(separator: " "))" -- "$word"))
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
                    help) COMPREPLY=($(compgen -W "\(names.joined(separator: " "))" -- "$word")); return ;;
                esac
                if [[ $word == -* ]]; then
                    COMPREPLY=($(compgen -W "$own --help \(settings.joined(separator: " "))" -- "$word"))
                fi
            }
            complete -o default -F _pics pics

            """
    }

    /// Backslashes, minus signs as they are to be typed, and lines that would be requests.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : String($0) }.joined(separator: "\n")
    }
}
