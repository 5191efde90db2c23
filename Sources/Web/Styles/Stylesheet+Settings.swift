extension Stylesheet {
    /// The pages of the settings.
    static let settings = """
        .settings > header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
        .settings > header p { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
        .settings nav { margin: 1rem 0 1.75rem; }

        """
}
