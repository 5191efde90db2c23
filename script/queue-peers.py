"""Enqueues and drains no-op jobs with pgqueuer and procrastinate on the PostgreSQL that is named; for script/measure-queue."""
import asyncio, sys, time

dsn, jobs = sys.argv[1], int(sys.argv[2])


async def pgqueuer_run(batch):
    import asyncpg
    from datetime import timedelta
    from pgqueuer.db import AsyncpgDriver
    from pgqueuer.queries import Queries
    from pgqueuer.qm import QueueManager
    from pgqueuer.models import Job

    connection = await asyncpg.connect(dsn)
    queries = Queries(AsyncpgDriver(connection))
    try:
        await queries.uninstall()
    except Exception:
        pass
    await queries.install()
    # In the batches that Pics has in its run, a photo for a hundred accounts, and in larger ones.
    size = 100 if batch < 1000 else 1000
    begun = time.monotonic()
    for first in range(0, jobs, size):
        count = min(size, jobs - first)
        await queries.enqueue(["noop"] * count, [b"x"] * count, [0] * count)
    print(f"pgqueuer enqueue in batches of {size}: {jobs / (time.monotonic() - begun):.0f} jobs/s", flush=True)
    manager = QueueManager(Queries(AsyncpgDriver(connection)))
    done = 0
    end = asyncio.Event()

    @manager.entrypoint("noop")
    async def noop(job: Job) -> None:
        nonlocal done
        done += 1

        if done == jobs:
            end.set()
            manager.shutdown.set()

    begun = time.monotonic()
    running = asyncio.create_task(manager.run(dequeue_timeout=timedelta(seconds=1), batch_size=batch))
    await running
    print(f"pgqueuer drained, batch {batch}: {jobs / (time.monotonic() - begun):.0f} jobs/s", flush=True)
    await connection.close()


async def procrastinate_run():
    import procrastinate

    app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=dsn))
    done = 0

    @app.task(queue="noop")
    async def noop():
        nonlocal done
        done += 1

    count = jobs // 10
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        begun = time.monotonic()
        await noop.batch_defer_async(*[{} for _ in range(count)])
        print(f"procrastinate enqueue in one batch: {count / (time.monotonic() - begun):.0f} jobs/s", flush=True)
        begun = time.monotonic()
        await app.run_worker_async(wait=False, concurrency=50, install_signal_handlers=False)
        print(f"procrastinate drained, 50 at once: {count / (time.monotonic() - begun):.0f} jobs/s", flush=True)


async def main():
    for batch in (10, 100, 1000):
        await pgqueuer_run(batch)
    await procrastinate_run()


asyncio.run(main())
