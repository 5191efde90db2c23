"""Judges recorded calls by the lexicons: check.py FILE, a call a line. Prints what does not fit, each once, and ends with 1 if there is anything."""
import collections
import json
import sys
import urllib.parse

from lexrpc.base import Base

lexicons = Base(validate=True, require_lexicons=True)


def problems(call):
    """The problems of a call, as (what, why)."""
    method = call["method"]

    def judge(where, kind, value, nsid):
        try:
            lexicons.validate(nsid, kind, value)
        except NotImplementedError as error:
            if (nsid, kind) != (method, "output"):  # some methods answer nothing
                yield f"{nsid} {kind}", str(error)
        except Exception as error:  # lexrpc has several for a value that does not fit
            # Tests let others say what no server would take.
            if where == "input" or "than maxLength" not in str(error):
                yield f"{nsid} {kind}", str(error)

    def records(value):
        """The records inside, which a lexicon leaves open."""
        if isinstance(value, dict):
            record = value.get("record")
            if isinstance(record, dict) and "$type" in record:
                yield record
            for inner in value.values():
                yield from records(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from records(inner)

    parts = []
    if call["query"]:
        try:
            query = lexicons.decode_params(method, urllib.parse.parse_qsl(call["query"]))
            parts.append(("input", "parameters", query, method))
        except ValueError as error:
            yield f"{method} parameters", str(error)
    if call["input"] is not None:
        parts.append(("input", "input", call["input"], method))
    if call["status"] == 200 and call["output"] is not None:
        parts.append(("output", "output", call["output"], method))
    for where in "input", "output":
        if where == "input" or call["status"] == 200:
            for record in records(call[where]):
                parts.append((where, "record", record, record["$type"]))
    for where, kind, value, nsid in parts:
        yield from judge(where, kind, value, nsid)


def main():
    counts, found = collections.Counter(), {}
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            call = json.loads(line)
            counts[call["method"]] += 1
            for what, why in problems(call):
                found.setdefault((what, why[:200]), call)
    for (what, why), call in sorted(found.items(), key=lambda item: item[0]):
        print(f"{what}: {why}")
    for method, count in sorted(counts.items()):
        print(f"{count:6} {method}")
    if not counts:
        print("nothing was called")
    sys.exit(1 if found or not counts else 0)


main()
