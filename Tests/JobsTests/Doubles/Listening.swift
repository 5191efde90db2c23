internal import Jobs
internal import Postgres
internal import Store
internal import TestTools

/// Tells a worker what the database notifies, as a process does.
struct Listening {
    let listener: PostgresListener
    let hearing: Task<Void, Never>

    func stop() async {
        await listener.stop()
        await hearing.value
    }
}

extension Bench {
    /// Listens from now on; returns once it hears.
    func listen(for running: RunningWorker) async -> Listening {
        let listener = PostgresListener(database)
        let events = await listener.listen(to: [PicsStore.workChannel, PicsStore.cancelChannel])
        let connected = Signal()
        let hearing = Task {
            for await event in events {
                switch event {
                case .connected: connected.fire()
                case .notification(let notification) where notification.channel == PicsStore.cancelChannel:
                    await running.worker.cancel(notification.payload)
                case .notification: await running.wake()
                }
            }
        }
        await connected.wait()
        return Listening(listener: listener, hearing: hearing)
    }
}
