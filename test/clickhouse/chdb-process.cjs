/**
 * ClickHouse in a process of its own, so that a crash or a query without end is one failed case. The first argument is the folder
 * that chdb is installed in. Each message is a text of SQL; each answer its JSON, or the error's sentence.
 */
const { Session } = require(process.argv[2]);

const session = new Session();

process.on("message", (sql) => {
  try {
    process.send({ text: session.query(sql, "JSONCompact") });
  } catch (error) {
    flush();
    process.send({ error: error instanceof Error ? error.message : String(error) });
  }
});
/** A query that fails amid its rows leaves some of them to the answer of the next one. */
const flush = () => {
  try {
    session.query("SELECT 1", "JSONCompact");
  } catch {
    // The next answer tells.
  }
};

process.on("disconnect", () => process.exit());
process.send({ text: "ready" });
