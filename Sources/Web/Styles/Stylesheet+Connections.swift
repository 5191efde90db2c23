extension Stylesheet {
    /// The pages of accounts and of application keys.
    static let connections = """
        .button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: .45rem 1.2rem; border-radius: .5rem; \
        border: 1px solid var(--link); background: var(--link); color: var(--on-link, var(--paper)); text-decoration: none; flex: none; }
        .button.quiet { min-height: 2.4rem; padding: .25rem .9rem; border-color: var(--line); background: none; color: var(--link); }
        .button.wrong { color: var(--wrong); }
        button.danger { background: var(--wrong); border-color: var(--wrong); }
        .accounts .name, .rows .name { font-weight: 600; text-decoration: none; color: var(--ink); }
        .cards { list-style: none; margin: 0 0 1.5rem; padding: 0; display: grid; gap: .9rem; \
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }
        .cards li { display: grid; grid-template: auto auto 1fr / 1fr auto; align-items: start; column-gap: .8rem; padding: .8rem 1rem; \
        border: 1px solid var(--line); border-radius: .7rem; background: var(--raised, var(--field)); }
        .cards h3 { margin: 0; font-size: 1.05rem; }
        .cards p { grid-column: 1 / -1; margin: .2rem 0 0; }
        .cards .ready { color: var(--ink); }
        .cards .button { grid-column: 2; grid-row: 1; min-height: 2.2rem; padding: .15rem .9rem; font-size: .95rem; }
        .terms { display: grid; gap: .1rem; margin: 0 0 1.5rem; }
        .terms div { display: grid; grid-template-columns: 8.5rem 1fr; gap: 1rem; padding: .45rem 0; \
        border-bottom: 1px solid var(--line); }
        .terms dt { color: var(--quiet); }
        .terms dd { margin: 0; }
        .pair, .actions { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .8rem; }
        .pair { margin: 0 0 1.5rem; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
        .actions { justify-content: start; margin: 0 0 1.5rem; }
        .form fieldset { display: grid; gap: .6rem; padding-bottom: 1rem; }
        .form .choice small { display: block; }
        details { margin: 0 0 1.5rem; }
        summary { padding: .6rem 0; cursor: pointer; color: var(--link); }

        """
}
