import Blobs
import Domain
import EventLoops
import Foundation
import Jobs
import Logging
import Media
import Postgres
import Settings
import Store

/// The queue's side of a process: a worker, and the listener that wakes it.
struct Queue: Sendable {
    let worker: Worker
    private let listener: PostgresListener

    init(_ runtime: Runtime, blobs: BlobStore, media: MediaPool, addresses: Addresses) {
        let configuration = runtime.configuration
        var worker = Worker.Configuration(
            name: "\(ProcessInfo.processInfo.hostName)/\(ProcessInfo.processInfo.processIdentifier)")
        worker.concurrency = configuration[PicsSettings.workerJobs]
        worker.lease = configuration[PicsSettings.jobLease]
        worker.heartbeat = configuration[PicsSettings.jobLease] / 3
        worker.backoff.base = configuration[PicsSettings.retryBase]
        let workshop = Workshop(
            store: runtime.store, registry: runtime.registry, blobs: blobs, media: media, transport: runtime.transport,
            keys: runtime.keys, addresses: addresses, copiesFolder: runtime.folder.copies, logger: runtime.logger)
        self.worker = Worker(worker, workshop: workshop, loop: runtime.workLoop)
        listener = PostgresListener(runtime.database)
    }

    /// Works until `stop`.
    func run() async {
        let notifications = await listener.listen(to: [Store.workChannel, Store.cancelChannel])
        async let listening: Void = hear(notifications)
        // On the worker's loop from the start, so that no continuation takes the way over the shared pool.
        await Task(executorPreference: worker.loop) { await worker.run() }.value
        await listener.stop()
        await listening
    }

    func stop(within grace: Duration) async {
        await worker.stop(within: grace)
    }

    private func hear(_ events: AsyncStream<PostgresListener.Event>) async {
        for await event in events {
            switch event {
            case .notification(let notification) where notification.channel == Store.cancelChannel:
                await worker.cancel(notification.payload)
            case .notification, .connected:
                await worker.wake()
            }
        }
    }
}
