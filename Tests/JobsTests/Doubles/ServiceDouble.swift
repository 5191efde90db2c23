internal import Domain
internal import HTTP
internal import Submitters

/// A service of tests: nobody connects, and nothing is published, where a double does not say how.
protocol ServiceDouble: Submitter {}

extension ServiceDouble {
    func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        throw .rejected(SubmissionProblem(.other("Nobody connects here.")))
    }

    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        throw .rejected(SubmissionProblem(.other("Nothing is published here.")))
    }

    func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation { .cannotTell }
}

extension ServiceDescription {
    static func scripted(takesAltText: Bool = false) -> ServiceDescription {
        ServiceDescription(
            id: "scripted", name: "Scripted", credentialFields: [],
            captionRule: CaptionRule(unit: .codePoints, limit: 140),
            mediaRule: MediaRule(copy: .tagged, pictureTypes: [], maximumPictureBytes: .max),
            lane: LanePolicy(concurrency: 1), takesAltText: takesAltText)
    }
}
