internal import Domain
internal import Media
internal import Submitters
internal import Testing

@testable import Jobs

/// The end of a submission whose file cannot be made.
struct CopyTroubleTests {
    private static let passing = SubmissionProblem(
        Problem(.pictureNotPrepared),
        detail: "the picture could not be worked on: pics-media was ended by signal 9")

    @Test func `a child that died by no fault of the file is trouble that passes`() {
        let error = MediaError.failed(detail: "pics-media was ended by signal 9")

        #expect(OutgoingCopy.failure(error) == .temporary(Self.passing, retryAfter: nil))
    }

    @Test(arguments: [MediaError.busy, .refused(.tooCostly)])
    func `too little time is trouble that passes`(error: MediaError) {
        let problem = SubmissionProblem(Problem(.pictureNotPrepared), detail: "\(error)")

        #expect(OutgoingCopy.failure(error) == .temporary(problem, retryAfter: nil))
    }

    @Test(arguments: [MediaError.refused(.damaged), .refused(.unknownType), .refused(.tooManyPixels)])
    func `a file that is refused is refused for good`(error: MediaError) {
        let problem = SubmissionProblem(
            Problem(.mediaUnusable, ProblemParameters(reason: .unreadable)), detail: "\(error)")

        #expect(OutgoingCopy.failure(error) == .rejected(problem))
    }

    @Test(arguments: [MediaError.refused(.unsupported), .refused(.cannotFit)])
    func `work that a kind of file does not allow is no trouble yet`(error: MediaError) {
        #expect(OutgoingCopy.failure(error) == nil)
    }

    @Test(arguments: [MediaError.cancelled, .stopped])
    func `work that was stopped is cancelled`(error: MediaError) {
        #expect(OutgoingCopy.failure(error) == .cancelled)
    }
}
