def measure(fleet, folder, options):
    raise SystemExit("later")
