package import Domain

extension Worker {
    /// The worker's times and bounds.
    package struct Configuration: Sendable {
        /// Names the process in the table of jobs.
        package var name: String
        /// Attempts at once; while outcomes are written, up to twice as many jobs are held.
        package var concurrency: Int
        /// A worker that is silent for so long has lost its jobs.
        package var lease: Duration
        package var heartbeat: Duration
        /// Between two looks into the queue when nobody calls.
        package var poll: Duration
        /// Two looks are at least so far apart, unless all places are free and more may wait.
        package var pace: Duration
        /// Between two looks for the jobs of workers that died.
        package var rescue: Duration
        /// Between two looks for lanes that sleep with work in them.
        package var sweep: Duration
        /// Between two notes of how far uploads have come.
        package var progress: Duration
        /// No attempt may take longer.
        package var longestAttempt: Duration
        package var backoff: Backoff

        package init(
            name: String, concurrency: Int = 16, lease: Duration = .seconds(60), heartbeat: Duration = .seconds(20),
            poll: Duration = .seconds(1), pace: Duration = .milliseconds(5), rescue: Duration = .seconds(5),
            sweep: Duration = .seconds(60), progress: Duration = .seconds(1), longestAttempt: Duration = .seconds(1800),
            backoff: Backoff = Backoff()
        ) {
            self.name = name
            self.concurrency = concurrency
            self.lease = lease
            self.heartbeat = heartbeat
            self.poll = poll
            self.pace = pace
            self.rescue = rescue
            self.sweep = sweep
            self.progress = progress
            self.longestAttempt = longestAttempt
            self.backoff = backoff
        }
    }
}
