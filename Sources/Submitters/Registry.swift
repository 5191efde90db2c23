/// The services this Pics knows. Adding one: its folder, and a line in `standard`.
package struct Registry: Sendable {
    /// In the order in which people are shown them.
    package let submitters: [any Submitter]
    private let byName: [String: any Submitter]

    /// Registers submitters; a name or alias that is taken already stays with the first.
    package init(_ submitters: [any Submitter]) {
        self.submitters = submitters
        var byName: [String: any Submitter] = [:]
        for submitter in submitters {
            for name in [submitter.description.id] + submitter.description.aliases where byName[name] == nil {
                byName[name] = submitter
            }
        }
        self.byName = byName
    }

    /// Finds a service by any name that PhotoSubmitter took: `dropbox`, `Dropbox`, `DropboxPhotoSubmitter`.
    package subscript(name: String) -> (any Submitter)? {
        let suffix = "photosubmitter"
        var folded = name.lowercased()
        if folded.count > suffix.count, folded.hasSuffix(suffix) { folded.removeLast(suffix.count) }
        return byName[folded]
    }

    /// The ids, in order.
    package var names: [String] { submitters.map(\.description.id) }
}
