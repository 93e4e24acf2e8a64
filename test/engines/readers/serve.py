"""Answers requests, one JSON object a line, as long as there are any."""

import json
import sys
import traceback


def serve(handlers):
    """Each request names a handler as `do`; the rest are its arguments. What it raises is the answer's `error`."""
    # What a library prints is no answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"value": handlers[request.pop("do")](**request)}
        except Exception as fault:
            answer = {"error": f"{type(fault).__name__}: {fault}", "trace": traceback.format_exc()}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
