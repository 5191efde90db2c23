/// Why a cell of the table is empty: sentences for people.
enum Exceptions {
    private static let subjects = Dictionary(grouping: Subject.allCases, by: \.service)

    static func reason(_ service: String, _ showing: Showing) -> String? {
        // What cannot be renewed is not renewed after a refusal either.
        let asked = showing == .renewed401 ? .refresh : showing
        for subject in subjects[service] ?? [] {
            if let reason = subject.reasons[asked] ?? subject.reasons[showing] { return reason }
            if subject.lacks.contains(asked) { return asked.usualReason }
        }
        return nil
    }
}

extension Showing {
    /// Reasons that several services share.
    static let positionIsInFile = "The position is in the file."
    static let wordsAreInFile = "The words are in the file, or beside it."
    static let ownerMadeKey = "What lets Pics in was made by its owner there, and only they can take it back."

    /// Why most services lack it that do.
    var usualReason: String? {
        switch self {
        case .video: "It takes no videos."
        case .several: "A post is one picture, or Pics sends one: the first."
        case .altText: "It has no alternative texts."
        case .album: "It has no albums, or Pics does not use them."
        case .position: "It has no place for a position."
        case .edit: "Not done."
        case .delete: "It lets no program delete."
        case .counts: "It does not tell, or nobody else sees the photos."
        case .refresh: "Its credentials do not end, or only their owner can renew them."
        case .resume: "One step brings the file and publishes it."
        case .reconcile:
            "It does not tell what it has posted: after an answer that was lost a person decides."
        case .revoke: "It has no call for that; its owner takes the permission back in the settings there."
        default: nil
        }
    }

    /// Failures that only a service behind a network has.
    static let ofNetwork: [Showing] = failures.filter { $0 != .renewed401 && $0 != .crashedStep }
}
