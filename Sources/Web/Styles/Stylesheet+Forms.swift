extension Stylesheet {
    /// Fields, choices and buttons.
    static let forms = """
        .form { display: grid; gap: 1rem; max-width: 26rem; margin: 0 0 1.5rem; }
        .form p { margin: 0; }
        label { display: grid; gap: .3rem; }
        input, select, textarea, button { font: inherit; color: inherit; }
        .form input, .form select, .form textarea {
            width: 100%;
            min-height: 2.75rem;
            padding: .45rem .7rem;
            border: 1px solid var(--edge);
            border-radius: var(--round);
            background: var(--raised);
        }
        .form .choice { display: flex; align-items: baseline; gap: .6rem; padding: .3rem 0; }
        .form .choice input {
            width: 1.1rem;
            min-height: 0;
            height: 1.1rem;
            flex: none;
            transform: translateY(.15rem);
            margin: 0;
            accent-color: var(--link);
        }
        fieldset { margin: 0; padding: .3rem 1rem .6rem; border: 1px solid var(--line); border-radius: var(--round); min-width: 0; }
        legend { padding: 0 .4rem; }
        button, .button {
            display: inline-block;
            min-height: 2.75rem;
            padding: .45rem 1.2rem;
            border: 1px solid var(--link);
            border-radius: var(--round);
            background: var(--link);
            color: var(--on-link);
            text-decoration: none;
            cursor: pointer;
            justify-self: start;
        }
        button.danger { background: var(--wrong); border-color: var(--wrong); color: var(--paper); }
        button.quiet, .button.quiet {
            min-height: 2.4rem;
            padding: .25rem .9rem;
            border-color: var(--line);
            background: none;
            color: var(--link);
        }

        """
}
