import API
import Actions
import Blobs
import Domain
import EventLoops
import FoundationEssentials
import Jobs
import Logging
import Media
import Notices
import Postgres
import Push
import Settings
import Store
import Submitters
import Webhooks

/// The queue's side of a process: a worker, the listener that wakes it, and who tells webhooks what became of the work.
struct Queue: Sendable {
    let worker: Worker
    private let sender: WebhookSender
    private let pushSender: PushSender
    private let push: PushDelivery
    private let listener: PostgresListener
    private let policies: [ServicePolicy]
    private let store: PicsStore
    private let logger: Logger
    private let tasks: PeriodicTasks

    /// The queue of a process; `others` are periodic tasks of one that serves nobody.
    init(
        _ runtime: Runtime, blobs: BlobStore, media: MediaPool, addresses: Addresses, others: [PeriodicTask] = []
    ) {
        let configuration = runtime.configuration
        var worker = Worker.Configuration(
            name: NodeReporter.name)
        worker.concurrency = configuration[PicsSettings.workerJobs]
        worker.lease = configuration[PicsSettings.jobLease]
        worker.heartbeat = configuration[PicsSettings.jobLease] / 3
        worker.backoff.base = configuration[PicsSettings.retryBase]
        let context = WorkerContext(
            store: runtime.store, registry: runtime.registry, blobs: blobs, media: media, transport: runtime.transport,
            keys: runtime.keys, addresses: addresses, copiesFolder: runtime.folder.copies, logger: runtime.logger)
        self.worker = Worker(worker, context: context, loop: runtime.workLoop, leases: runtime.leaseLoop)
        let engagement = EngagementReader(
            context: context, accounts: runtime.accounts.reader, age: configuration[PicsSettings.likesAge],
            budget: Self.paidReads(configuration, runtime.logger))
        let interactions = InteractionSender(
            context: context, accounts: runtime.accounts.reader, backoff: worker.backoff)
        let postcards = PostcardSender(
            context: context, accounts: runtime.accounts.reader, backoff: worker.backoff, loop: runtime.workLoop)
        var sender = WebhookSender.Configuration(giveUpAfter: configuration[PicsSettings.webhookAge])
        sender.backoff.base = configuration[PicsSettings.retryBase]
        self.sender = WebhookSender(
            sender, webhooks: runtime.webhooks, loop: runtime.workLoop, logger: runtime.logger
        ) { submission, json in
            APIHandlers.writeMembers(of: submission, to: &json)
        } writeResponse: { [addresses] response, json in
            APIHandlers.writeMembers(of: response, base: addresses.base, to: &json)
        }
        var pushing = PushSender.Configuration()
        pushing.backoff.base = configuration[PicsSettings.retryBase]
        push = runtime.push
        pushSender = PushSender(pushing, push: runtime.push, loop: runtime.workLoop, logger: runtime.logger)
        listener = PostgresListener(runtime.database)
        policies = runtime.registry.submitters.map { submitter in
            let service = submitter.description
            let lane = NewLane(service.lane, gate: service.id)
            return ServicePolicy(
                service: service.id, maximumRunning: lane.maximumRunning, gap: lane.gap, cap: lane.cap,
                applicationCap: service.lane.applicationCap.map { StartRate(jobs: $0.submissions, window: $0.window) })
        }
        store = runtime.store
        logger = runtime.logger
        let attemptsAge = configuration[PicsSettings.attemptsAge]
        tasks = PeriodicTasks(
            [
                PeriodicTask("prune-attempts", every: .seconds(60)) { [store, logger] in
                    let count = try await store.pruneAttempts(olderThan: attemptsAge)
                    if count > 0 { logger.info("old attempts deleted", ["count": count]) }
                },
                PeriodicTask("send-interactions", every: .seconds(2)) { try await interactions.sendDue() },
                PeriodicTask("end-stale-interactions", every: .seconds(3600)) { [store] in
                    try await store.endStaleInteractions()
                },
                PeriodicTask("order-postcards", every: .seconds(2)) { try await postcards.sendDue() },
                PeriodicTask("end-stale-postcards", every: .seconds(3600)) { [store] in
                    try await store.endStalePostcards()
                    try await store.endFollowingPostcards()
                    try await store.forgetRecipients()
                },
                PeriodicTask("read-likes", every: .seconds(5)) { try await engagement.read() },
                PeriodicTask("prune-mails", every: .seconds(300)) { [store] in try await store.pruneMails() },
            ] + Self.mailTasks(runtime) + others, on: self.worker.loop, logger: logger)
    }

    /// None without a mail server.
    private static func mailTasks(_ runtime: Runtime) -> [PeriodicTask] {
        guard let mail = runtime.mail else { return [] }
        let notifier = MailNotifier(MailNotifier.Configuration(), delivery: mail, logger: runtime.logger)
        return [PeriodicTask("send-mails", every: .seconds(2)) { try await notifier.sendDue() }]
    }

    /// What reading may cost for each account and month, in millionths of a dollar.
    private static func paidReads(_ configuration: Configuration, _ logger: Logger) -> Int64 {
        let budget = Int64(configuration[PicsSettings.paidReadsBudget]) * 1_000_000
        guard budget == 0, configuration[PicsSettings.paidLikes] else { return budget }
        logger.warning(
            "paid_likes is called paid_reads_budget now, and has a bound: 5 dollars for each account and month")
        return 5_000_000
    }

    /// Works until `stop`.
    func run() async {
        let notifications = await listener.listen(to: [PicsStore.workChannel, PicsStore.cancelChannel])
        async let listening: Void = follow(notifications)
        do {
            // A new version may know other bounds.
            try await store.apply(policies)
        } catch {
            logger.warning("services' bounds not applied", ["error": logText(of: error)])
        }
        do {
            // Made at the first start.
            _ = try await push.key.key()
        } catch {
            logger.warning("no key for push services yet", ["error": logText(of: error)])
        }
        let periodic = Task(executorPreference: worker.loop) { await tasks.run() }
        let sending = Task(executorPreference: worker.loop) { await sender.run() }
        let notifying = Task(executorPreference: worker.loop) { await pushSender.run() }
        // On the worker's loop from the start, so that no continuation takes the way over the shared pool.
        await Task(executorPreference: worker.loop) { await worker.run() }.value
        await sending.value
        await notifying.value
        periodic.cancel()
        await periodic.value
        await listener.stop()
        await listening
    }

    func stop(within grace: Duration) async {
        async let sent: Void = sender.stop(within: grace)
        async let notified: Void = pushSender.stop(within: grace)
        await worker.stop(within: grace)
        await sent
        await notified
    }

    private func follow(_ events: AsyncStream<PostgresListener.Event>) async {
        for await event in events {
            switch event {
            case .notification(let notification) where notification.channel == PicsStore.cancelChannel:
                await worker.cancel(notification.payload)
            case .notification, .connected:
                await worker.wake()
            }
        }
    }
}
