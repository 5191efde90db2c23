internal import HTTP
package import HTTPServer

/// Submissions in `/openapi.json`.
extension Operation {
    package static let listSubmissions = Operation(
        "listSubmissions", "What became of a photo at each account.", tags: ["submissions"],
        responses: [Response(.ok, "All of them.", .json("SubmissionPage")), gone])

    package static let showSubmission = Operation(
        "showSubmission", "A submission with its attempts, oldest first.", tags: ["submissions"],
        responses: [Response(.ok, "The submission.", .json("SubmissionWithTries"))])

    package static let resolveSubmission = Operation(
        "resolveSubmission", "Resolves an unknown submission, after a look at the account.",
        tags: ["submissions"], body: .json("Resolution"),
        responses: [
            Response(.ok, "The submission as it is now.", .json("Submission")),
            .problem(.conflict, "The submission is not unknown."),
            .problem(.unsupportedMediaType, "The body is not JSON."),
        ])

    package static let sendPhoto = Operation(
        "sendPhoto", "Sends a stored photo on to further accounts, or registers posts that the client has made itself.",
        description: """
            An account that the photo was sent to, or is on its way to, gets no second post; a submission that was refused or \
            cancelled starts anew.
            """,
        tags: ["photos"], body: Content(["application/json": OpenAPI.reference("PhotoSending")]),
        responses: [
            Response(.ok, "The submissions to these accounts.", .json("SubmissionPage")),
            .problem(
                .conflict,
                "The photo is a draft, or was made private: nothing of it is sent. Or an account has another post of it."
            ),
            .problem(
                .unprocessableContent, "A photo without a picture is sent nowhere, or a post cannot be registered."),
            gone,
            .problem(.unsupportedMediaType, "The body is not JSON."),
        ])

    package static let rescheduleSubmission = Operation(
        "rescheduleSubmission", "Moves the time of a submission that was not begun; null sends it now.",
        description: "One that was refused or cancelled starts anew at that time.", tags: ["submissions"],
        body: Content([
            "application/merge-patch+json": OpenAPI.reference("SubmissionEdit"),
            "application/json": OpenAPI.reference("SubmissionEdit"),
        ]),
        responses: [
            Response(.ok, "The submission as it is now.", .json("Submission")),
            .problem(.conflict, "It was begun, has ended, or its photo was made private."),
            .problem(.unsupportedMediaType, "The body is not JSON."),
        ])

    package static let cancelSubmission = Operation(
        "cancelSubmission", "Ends a submission, unless it has ended.", tags: ["submissions"],
        responses: [Response(.ok, "The submission as it is now.", .json("Submission"))])

    package static let deletePost = Operation(
        "deletePost", "Deletes the post of a submission that is done. Its photo stays, and can be sent there again.",
        tags: ["submissions"],
        responses: [
            Response(.ok, "The submission; its state is `deleted` once the post is gone.", .json("Submission")),
            .problem(.conflict, "The submission has no post, or its service lets nobody delete posts."),
        ])

    package static let retrySubmission = Operation(
        "retrySubmission",
        "Starts a submission anew that was rejected, cancelled or is unknown; one that waits is tried at once.",
        tags: ["submissions"],
        responses: [
            Response(.ok, "The submission as it is now.", .json("Submission")),
            .problem(.conflict, "The photo was made private: nothing of it is sent."),
        ])
}
