extension Stylesheet {
    /// The pages of the settings.
    static let settings = """
        .settings > header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
        .settings > header p { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
        .settings nav { margin: 1rem 0 1.75rem; }
        @media (min-width: 60rem) {
            main.settings { position: relative; max-width: 57rem; min-height: 32rem; padding-inline-start: 14.25rem; }
            .settings > nav { position: absolute; inset-inline-start: 1.25rem; top: var(--space-4); width: 11rem; margin: 0; }
            .settings > nav ul { flex-direction: column; gap: 2px; }
            .settings > nav a { border-color: transparent; border-radius: var(--round); }
            .settings > header { margin: 0 0 var(--space-5); }
        }

        """
}
