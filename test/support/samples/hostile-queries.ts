/** The events of the tenant who writes the hostile queries, and the marker that only the other tenant's rows hold. */
export const OWN_EVENTS = 3;
export const SECRET = "harbour-lantern-7431";

const long = (length: number): string => "x".repeat(length);
const nested = (open: string, inner: string, close: string, levels: number): string => open.repeat(levels) + inner + close.repeat(levels);

/** Common table expressions each of which names the one before twice: 2^levels relations when written out. */
const doubling = (levels: number): string => {
  const steps = Array.from({ length: levels }, (_, at) => `t${at + 1} AS (SELECT a.x + b.x AS x FROM t${at} a CROSS JOIN t${at} b)`);
  return `WITH t0 AS (SELECT 1 AS x), ${steps.join(", ")} SELECT count() FROM t${levels}`;
};

/** Aliases each of which names the one before twice: 2^levels terms when written out. */
const doublingAliases = (levels: number): string => {
  const steps = Array.from({ length: levels }, (_, at) => `a${at} + a${at} AS a${at + 1}`);
  return `SELECT toInt(event) AS a0, ${steps.join(", ")} FROM events`;
};

/** Aliases each of which wraps the one before: as deep as they are many. */
const chained = (levels: number): string => {
  const steps = Array.from({ length: levels }, (_, at) => `reverse(a${at}) AS a${at + 1}`);
  const all = Array.from({ length: levels }, (_, at) => `a${at} != ''`);
  return `SELECT count() FROM events WHERE (event AS a0) != '' AND ${steps.map((step) => `(${step}) != ''`).join(" AND ")} AND ${all.join(" AND ")}`;
};

/** Query texts that try to reach what is not the project's own, or to hurt the process; each with what it tries. */
export const HOSTILE: readonly (readonly [what: string, text: string])[] = [
  // Other relations and files.
  ["a file by its name as a table", "SELECT * FROM '/etc/passwd'"],
  ["a file by its name in double quotes", 'SELECT * FROM "/etc/passwd"'],
  ["a file by its name in backticks", "SELECT * FROM `/etc/passwd`"],
  ["a file of the lake by a pattern", "SELECT * FROM `**/*.parquet`"],
  ["read_text", "SELECT * FROM read_text('/etc/passwd')"],
  ["read_blob", "SELECT * FROM read_blob('/proc/self/environ')"],
  ["read_csv", "SELECT * FROM read_csv('/etc/passwd')"],
  ["read_csv_auto", "SELECT * FROM read_csv_auto('/etc/passwd')"],
  ["read_json", "SELECT * FROM read_json('/proc/self/environ')"],
  ["read_parquet", "SELECT * FROM read_parquet('**/*.parquet')"],
  ["parquet_scan", "SELECT * FROM parquet_scan(['events/**'])"],
  ["parquet_metadata", "SELECT * FROM parquet_metadata('**')"],
  ["glob", "SELECT * FROM glob('/**')"],
  ["sniff_csv", "SELECT * FROM sniff_csv('/etc/passwd')"],
  ["sqlite_scan", "SELECT * FROM sqlite_scan('table.db', 'items')"],
  ["query", "SELECT * FROM query('SELECT * FROM duckdb_settings()')"],
  ["query_table", "SELECT * FROM query_table('scan_1')"],
  ["a table function over the network", "SELECT * FROM url('http://127.0.0.1/')"],
  ["s3", "SELECT * FROM s3('http://127.0.0.1/bucket/key')"],
  ["remote", "SELECT * FROM remote('127.0.0.1', system.one)"],
  ["file", "SELECT * FROM file('x.csv')"],
  ["cluster", "SELECT * FROM cluster('default', system.one)"],
  ["duckdb_settings", "SELECT * FROM duckdb_settings()"],
  ["duckdb_secrets", "SELECT * FROM duckdb_secrets()"],
  ["duckdb_views", "SELECT * FROM duckdb_views()"],
  ["pragma_database_list", "SELECT * FROM pragma_database_list()"],
  ["information_schema", "SELECT * FROM information_schema.tables"],
  ["pg_catalog", "SELECT * FROM pg_catalog.pg_class"],
  ["sqlite_master", "SELECT * FROM sqlite_master"],
  ["system.tables", "SELECT * FROM system.tables"],
  ["system.one", "SELECT * FROM system.one"],
  ["a scan by its inner name", "SELECT * FROM scan_1"],
  ["a scan by its inner name beside its own", "SELECT * FROM events JOIN scan_2 ON 1 = 1"],
  ["a qualified table", "SELECT * FROM main.events"],
  ["a table of another database", "SELECT * FROM memory.main.events"],
  ["a table by project", "SELECT * FROM project_1.events"],
  ["the physical columns", "SELECT identity, request, index FROM events"],
  ["the tenant's own column", "SELECT team_id, project_id, organization_id FROM events"],
  ["another team's rows", "SELECT count() FROM events WHERE team_id = 1 OR 1 = 1"],

  // Names that could be mistaken for ours.
  ["a CTE named as a scan", "WITH scan_1 AS (SELECT 1 AS event) SELECT count(), (SELECT count() FROM scan_1) FROM events"],
  ["a CTE named as a table", "WITH events AS (SELECT 42 AS x) SELECT x FROM events"],
  ["a CTE that names itself", "WITH a AS (SELECT * FROM a) SELECT * FROM a"],
  ["two CTEs that name each other", "WITH a AS (SELECT * FROM b), b AS (SELECT * FROM a) SELECT * FROM a"],
  ["a recursive CTE", "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a) SELECT * FROM a"],
  ["a CTE named with quotes", 'WITH `a" AS (SELECT 1), "b` AS (SELECT 1 AS x) SELECT * FROM `a" AS (SELECT 1), "b`'],
  ["an alias of a relation named as a scan", "SELECT count() FROM events AS scan_2 JOIN persons AS scan_1 ON scan_1.id = scan_2.person_id"],
  ["an alias of a column named as a column of a list", "SELECT event AS c1, uuid AS c2, c1 FROM events ORDER BY c1, c2"],
  ["an alias with a double quote", "SELECT event AS `x\" FROM read_text('/etc/passwd') --` FROM events"],
  ["an alias with a single quote", "SELECT event AS `'; SELECT 1 --` FROM events"],
  ["an alias with a backtick", "SELECT event AS `a\\`b` FROM events"],
  ["an alias with a NUL", "SELECT event AS `a\u0000b` FROM events"],
  ["an alias with a line end", "SELECT event AS `a\nb` FROM events"],
  ["an alias of unicode", "SELECT event AS `ＳＥＬＥＣＴ\u202e\ufeff💩` FROM events"],
  ["a lone surrogate", "SELECT '\ud800' AS a, event AS `\udc00` FROM events"],
  ["an alias that is very long", `SELECT event AS ${long(10_000)} FROM events`],
  ["an alias in double quotes", 'SELECT event AS "a""b" FROM events'],
  ["a property named as SQL", "SELECT properties.`x') FROM read_text('/etc/passwd') --` FROM events"],
  ["a property named with a JSON path", "SELECT properties.`$.*`, properties.`$..a`, properties.`/a/b` FROM events"],
  ["a property that is very long", `SELECT properties.${long(20_000)} FROM events`],
  ["__proto__", "SELECT properties.__proto__, properties.constructor, properties.hasOwnProperty AS toString FROM events"],
  ["members of an object's prototype as names", "SELECT constructor FROM events"],
  ["members of an object's prototype as functions", "SELECT constructor(1), toString(1), hasOwnProperty(1), __proto__(1) FROM events"],
  ["members of an object's prototype as tables", "SELECT * FROM constructor"],
  ["a member of an object's prototype as a type", "SELECT CAST(event AS constructor) FROM events"],
  ["a member of an object's prototype as a window", "SELECT count() OVER constructor FROM events"],
  ["a member of an object's prototype as an interval", "SELECT dateAdd('constructor', 1, timestamp) FROM events"],

  // Values that could be mistaken for text of ours.
  ["a parameter's sign in a text", "SELECT '$1', '$1$', '@0@', '$0$', '?', event FROM events"],
  ["a parameter's sign as a name", "SELECT $1 FROM events"],
  ["a parameter's sign as an alias", "SELECT event AS `$1$`, uuid AS `@0@` FROM events ORDER BY `$1$`"],
  ["a parameter's sign as a property", "SELECT properties.`$1$`, properties.`@0@`, properties.$1 FROM events"],
  ["a quote in a text", "SELECT '\\'; SELECT * FROM read_text(\\'/etc/passwd\\'); --' FROM events"],
  ["a doubled quote in a text", "SELECT '''; DROP TABLE events; --' FROM events"],
  ["a NUL in a text", "SELECT 'a\\0b', 'a\u0000b' FROM events"],
  ["a comment that ends early", "SELECT /* */ 1 /* ' */ -- '\n FROM events"],
  ["a comment that never ends", "SELECT 1 /* FROM events"],
  ["nested comments", "SELECT /* /* */ 1 */ FROM events"],
  ["two statements", "SELECT 1; SELECT 2"],
  ["a statement that is no query", "DROP TABLE events"],
  ["COPY", "COPY (SELECT 1) TO '/tmp/x'"],
  ["ATTACH", "ATTACH '/tmp/x.db'"],
  ["INSTALL", "INSTALL httpfs"],
  ["SET", "SET enable_external_access = true"],
  ["PRAGMA", "PRAGMA database_list"],
  ["INSERT", "INSERT INTO events SELECT * FROM events"],
  ["SETTINGS", "SELECT 1 FROM events SETTINGS max_threads = 1000"],
  ["FORMAT", "SELECT 1 FROM events FORMAT CSV"],
  ["INTO OUTFILE", "SELECT 1 FROM events INTO OUTFILE '/tmp/x'"],
  ["a template", "SELECT f'{event}{1 + 1}' FROM events"],
  ["a template that names a file", "SELECT f'{read_text(\\'/etc/passwd\\')}' FROM events"],
  ["a tag", "SELECT <a href='x' /> FROM events"],
  ["a placeholder that is no variable", "SELECT {constructor}, {variables.__proto__}, {filters.x} FROM events"],
  ["a placeholder of a prototype's member", "SELECT {variables.constructor} FROM events"],

  // Functions that reach out of the query.
  ["getenv", "SELECT getenv('HOME')"],
  ["current_setting", "SELECT current_setting('temp_directory')"],
  ["version", "SELECT version(), hostName(), currentDatabase(), currentUser()"],
  ["getSetting", "SELECT getSetting('max_threads')"],
  ["dictGet", "SELECT dictGet('d', 'a', 1)"],
  ["joinGet", "SELECT joinGet('t', 'v', 1)"],
  ["sleep", "SELECT sleep(3), sleepEachRow(3) FROM events"],
  ["file as a function", "SELECT file('/etc/passwd')"],
  ["read_text as a function", "SELECT read_text('/etc/passwd')"],
  ["nextval", "SELECT nextval('s'), txid_current(), pg_backend_pid()"],
  ["executable", "SELECT * FROM executable('id', 'TabSeparated', 'x String')"],
  ["a function's name with quotes", 'SELECT `count"(*) FROM scan_1 --`(1) FROM events'],
  ["a type's name with SQL", "SELECT CAST(event AS `VARCHAR) FROM read_text('x') --`) FROM events"],
  ["a time zone with SQL", "SELECT toTimeZone(timestamp, 'UTC\\'); SELECT 1 --') FROM events"],
  ["a date format with SQL", "SELECT formatDateTime(timestamp, '%Y\\'); SELECT 1 --%') FROM events"],
  ["a path of JSON with SQL", "SELECT JSONExtractString(properties, 'a\\') FROM read_text(\\'x\\') --') FROM events"],

  // Work without end.
  ["CTEs that double", doubling(24)],
  ["aliases that double", doublingAliases(60)],
  [
    "aliases that double in conditions",
    `SELECT count() FROM events WHERE (toInt(event) AS a0) = 1 AND ${Array.from({ length: 60 }, (_, at) => `(a${at} + a${at} AS a${at + 1}) = 1`).join(" AND ")}`,
  ],
  ["aliases in a chain of 150", chained(150)],
  ["aliases that name each other", "SELECT a AS b, b AS a FROM events"],
  ["an alias that names itself", "SELECT event + event AS event, event AS event FROM events"],
  ["a text repeated without bound", "SELECT length(repeat('x', 4000000000))"],
  ["a text repeated again and again", "SELECT length(repeat(repeat(repeat('x', 100000), 1000), 1000))"],
  ["texts repeated per row", "SELECT sum(length(repeat('x', 100000000))) FROM numbers(100000)"],
  ["a range without bound", "SELECT length(range(0, 100000000000))"],
  ["arrays without bound", "SELECT arraySum(arrayMap(x -> length(range(x)), range(1000000)))"],
  ["a product of numbers", "SELECT count() FROM numbers(1000000) a CROSS JOIN numbers(1000000) b CROSS JOIN numbers(1000000) c"],
  ["groups without bound", "SELECT groupArray(repeat('x', 1000)) FROM numbers(1000000)"],
  ["a sort without bound", "SELECT repeat(toString(number), 1000) AS x FROM numbers(1000000) ORDER BY x DESC LIMIT 50000"],
  ["more numbers than there are", "SELECT * FROM numbers(99999999999999999999)"],
  ["a regular expression that backtracks", `SELECT count() FROM numbers(1000) WHERE match(repeat('a', 1000), '^(a+)+$')`],
  ["a regular expression that is huge", "SELECT match('a', '(((((a{100}){100}){100}){100}){100})')"],
  ["brackets", nested("(", "1", ")", 5_000)],
  ["brackets in a SELECT", `SELECT ${nested("(", "1", ")", 5_000)}`],
  ["lists in lists", `SELECT ${nested("[", "1", "]", 5_000)}`],
  ["functions in functions", `SELECT ${nested("toString(", "1", ")", 3_000)}`],
  ["subqueries in subqueries", `${nested("SELECT * FROM (", "SELECT 1", ")", 2_000)}`],
  ["minus after minus", `SELECT ${"- ".repeat(4_000)}1`],
  ["NOT after NOT", `SELECT ${"NOT ".repeat(4_000)}true`],
  ["CASE in CASE", `SELECT ${nested("CASE WHEN true THEN ", "1", " END", 300)}`],
  ["lambdas in lambdas", `SELECT ${nested("arrayMap(x -> ", "[1]", ", [1])", 60)}`],
  ["a sum of many", `SELECT ${"1 + ".repeat(1_500)}1`],
  ["UNION after UNION", `SELECT 1 ${"UNION ALL SELECT 1 ".repeat(2_000)}`],
  ["many columns", `SELECT ${Array.from({ length: 900 }, (_, at) => at).join(", ")}`],
  ["many joins", `SELECT count() FROM events e0 ${Array.from({ length: 100 }, (_, at) => `CROSS JOIN events e${at + 1}`).join(" ")}`],
  ["dots", `SELECT ${"a.".repeat(4_000)}b FROM events`],
  ["a long text", `SELECT '${long(99_000)}'`],
  ["too long a text", `SELECT '${long(200_000)}'`],
  ["odd numbers", "SELECT 1e999, -1e999, 0x, 0xfg, 1__0, 99999999999999999999999999999999999999999999, inf, nan"],
  ["LIMIT of odd numbers", "SELECT 1 LIMIT 99999999999999999999 OFFSET 99999999999999999999"],
  ["LIMIT below zero", "SELECT 1 LIMIT -1"],
  ["LIMIT by a query", "SELECT 1 LIMIT (SELECT count() FROM events)"],
  ["nothing but spaces", " \n\t "],
  ["nothing but a comment", "-- nothing"],
  ["text that is no query", "\u0000\u0001\ufffd💥"],
];
