/**
 * ClickHouse in a process of its own. The first argument is the folder that chdb is installed in. Each message is a text of SQL; each
 * answer how long it took and how much processor time, in milliseconds, and the result as JSON; or the error's sentence.
 */
const { Session } = require(process.argv[2]);

const session = new Session();

process.on("message", (sql) => {
  try {
    const started = performance.now();
    const before = process.cpuUsage();
    const text = session.query(sql, "JSONCompact");
    const { user, system } = process.cpuUsage(before);
    process.send({ ms: performance.now() - started, cpu: (user + system) / 1000, text });
  } catch (error) {
    process.send({ error: error instanceof Error ? error.message : String(error) });
  }
});
process.on("disconnect", () => process.exit());
process.send({ text: "ready" });
