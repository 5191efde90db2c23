"""Builds a fleet, loads and breaks it, and counts; script/fleet starts it."""
import argparse, os, random, shutil, signal, sys, tempfile, threading, time
from pathlib import Path

from .clients import Client, Liker, Looker, PartedPhotos, Reader, WholePhotos
from .counts import Counts
from .events import EventReader
from .faults import Faults
from .fleet import Fleet
from .ledger import Ledger
from .network import Network
from .pictures import Pictures
from .rates import measure


def arguments():
    parser = argparse.ArgumentParser(prog="script/fleet")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 16))
    parser.add_argument("--only", default=",".join(Faults.NAMES))
    parser.add_argument("--phones", type=int, default=2)
    parser.add_argument("--cut", type=int, default=Faults.CUT)
    parser.add_argument("--rates", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--pics", type=Path, required=True)
    parser.add_argument("--fakes", type=Path, required=True)
    options = parser.parse_args()
    options.only = [name.replace("-", "_") for name in options.only.split(",") if name]
    if unknown := set(options.only) - set(Faults.NAMES):
        parser.error(f"no fault: {', '.join(sorted(unknown))}; there are {', '.join(Faults.NAMES)}")
    return options


def people(fleet, ledger, count):
    """Users, each with an account at the fake."""
    for number in range(count):
        name = f"phone{number + 1}"
        fleet.tokens[name] = fleet.add_user(name)
        Client(fleet, ledger, fleet.tokens[name]).once(
            "control", "POST", "/v1/connections", {"Content-Type": "application/json"},
            '{"service": "mastodon", "fields": {"base_url": "%s", "access_token": "mastodon-token"}}' % fleet.mastodon)


def break_it(fleet, folder, options):
    ledger = Ledger()
    people(fleet, ledger, options.phones)
    pictures = Pictures(folder)
    stop, end = threading.Event(), threading.Event()
    readers = [EventReader(fleet, ledger, owner, token, end) for owner, token in fleet.tokens.items()]
    for reader in readers:
        reader.start()
        reader.is_open.wait(30)
    shared = (fleet, ledger, stop, end, options.seed)
    workers = []
    for owner, token in fleet.tokens.items():
        workers.append(WholePhotos(f"whole-{owner}", *shared, token=token, pause=1.2, owner=owner, pictures=pictures))
        workers.append(PartedPhotos(f"parts-{owner}", *shared, token=token, pause=0.8, owner=owner, pictures=pictures))
    # One photo for those who look and like from the start.
    workers[0].act(1_000_000)
    first = next(iter(ledger.photos.values()))
    liker = Liker("liker", *shared, pause=0.4)
    liker.meet(first, workers[0].client.get(f"/v1/photos/{first['id']}").json["code"])
    workers += [liker, *[kind(f"{kind.__name__.lower()}-{number}", *shared) for kind in [Reader, Looker] for number in range(2)]]
    ledger.begun = time.monotonic()
    ledger.successes.clear()
    for worker in workers:
        worker.start()
    faults = Faults(fleet, ledger, stop, options.seed)
    faults.CUT = options.cut
    try:
        stop.wait(5)
        left = faults.run(options.only, options.seconds)
        if not options.only:
            stop.wait(options.seconds)
        stop.wait(5)
    except KeyboardInterrupt:
        end.set()
        raise
    finally:
        ended = ledger.now
        stop.set()
    ledger.say("the load ends")
    deadline = time.monotonic() + 120
    for worker in workers:
        worker.join(max(0.1, deadline - time.monotonic()))
    counts = Counts(fleet, ledger, readers)
    counts.wait_for_queue()
    counts.wait_for_pictures()
    # A look at what has changed comes twice a second.
    time.sleep(8)
    end.set()
    for worker in workers:
        worker.join(40)
    ledger.say("everything is counted")
    if left:
        print(f"no time was left for: {', '.join(left)}")
    listed = counts.photos()
    counts.posts(listed)
    counts.likes()
    counts.events()
    for program in fleet.crashed():
        ledger.refuse("crash", f"{program.name} ended by itself ({program.process.returncode}):\n{program.tail(12)}")
    for at, kind, text in ledger.refused:
        counts.fail(f"{at} s, {kind}: {text}")
    try:
        print(f"pics blobs check: {fleet.command('blobs', 'check').strip()}")
    except RuntimeError as error:
        counts.fail(str(error))
    counts.times(0, ended)
    counts.gaps_by_fault()
    print(f"\nseed {options.seed}: {len(counts.failures)} faults")
    return 1 if counts.failures else 0


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(tempfile.mkdtemp(prefix="pics-fleet."))
    # PostgreSQL's user has to get in.
    folder.chmod(0o755)
    network, fleet, status = Network(), None, 1
    print(f"seed {options.seed}, {options.pics}, logs in {folder}", flush=True)
    try:
        network.build()
        network.enter("clients")
        fleet = Fleet(network, folder, options)
        if options.rates:
            status = measure(fleet, folder, options)
        else:
            fleet.start()
            status = break_it(fleet, folder, options)
    except KeyboardInterrupt:
        print("fleet: interrupted", file=sys.stderr)
        status = 130
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if fleet:
            fleet.stop()
        network.remove()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    # Threads that still wait for an answer do not keep it.
    sys.stdout.flush()
    os._exit(status)


main()
