import Domain
import Store

/// The answers to the clients of the property test, to compare with the tables.
actor QueueLedger {
    private(set) var submissions: [SubmissionID] = []
    private var photos: [PhotoID] = []
    private var settled: Set<Lease> = []

    /// One lease of one job.
    private struct Lease: Hashable {
        let job: Int64
        let number: Int32
    }

    func acknowledge(_ posted: Posted) {
        photos.append(posted.photo)
        submissions += posted.submissions
    }

    /// Notes that the store took the end or the return of a job. False when it did so before, under the same lease.
    func settle(_ job: ClaimedJob) -> Bool {
        settled.insert(Lease(job: job.id, number: job.leaseNo)).inserted
    }

    func photo(_ random: UInt64) -> PhotoID? { photos.isEmpty ? nil : photos[Int(random % UInt64(photos.count))] }

    func submission(_ random: UInt64) -> SubmissionID? {
        submissions.isEmpty ? nil : submissions[Int(random % UInt64(submissions.count))]
    }
}
