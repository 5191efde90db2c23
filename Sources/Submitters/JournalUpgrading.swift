package import HTTP

/// A service whose journal has changed its form: submissions that an older Pics has begun go on.
package protocol JournalUpgrading: Submitter {
    /// The form that `submit` and `reconcile` read and write; 1 unless a service says otherwise.
    var journalVersion: Int { get }

    /// Turns a journal of an older form into today's.
    func upgradeJournal(_ journal: JSONObject, from version: Int) -> JSONObject
}
