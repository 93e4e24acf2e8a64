import { PostHog } from "posthog-node";

const EVENTS = 3;

const [host, token, run, mode] = process.argv.slice(2);
const client = new PostHog(token, { host, historicalMigration: mode === "historical" });
for (let sent = 0; sent < EVENTS; sent += 1) client.capture({ distinctId: run, event: "sdk", properties: { run } });
await client.shutdown();
