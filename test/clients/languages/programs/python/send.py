import sys

from posthog import Posthog

EVENTS = 3

host, token, run, mode = sys.argv[1:5]
client = Posthog(token, host=host, historical_migration=mode == "historical")
for _ in range(EVENTS):
    client.capture("sdk", distinct_id=run, properties={"run": run})
client.shutdown()
