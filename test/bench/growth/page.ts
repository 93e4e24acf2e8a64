import { PRICES, PRICES_OF } from "../cost/prices.ts";
import type { Figure } from "../figures.ts";

/** Bytes of manifests that a process remembers, and of memory for each byte of JSON: `lib/lake/catalogue/manifests.ts`. */
const CACHE_BYTES = 64_000_000;
const MEMORY_PER_BYTE = 1.75;
/** A sweep's time and lanes: `lib/lake/sweep.ts`. */
const SWEEP_SECONDS = 45;
const LANES = 16;
/** What a call takes on AWS, of which nothing was measured here. */
const TABLE_CALL_MS = 5;
const OBJECT_CALL_MS = 30;
const DAY_SECONDS = 86_400;
const MILLION = 1_000_000;

/** `infra/growth.md`: what was measured, and what follows from it. */
export const growthPage = (figures: readonly Figure[]): string => {
  const values = new Map(figures.map(({ name, value }) => [name, value]));
  const at = (name: string): number => {
    const value = values.get(`growth.${name}`);
    if (value === undefined) throw new Error(`growth.${name} was not measured`);
    return value;
  };
  const rowsOfFile = (at("catalogue.100000.million_rows") * MILLION) / 100_000;
  const perFile = (what: string): number => at(`catalogue.100000.${what}`) / 100_000;
  const filesOf = (rows: number): number => rows / rowsOfFile;
  const cachedFiles = CACHE_BYTES / (MEMORY_PER_BYTE * at("catalogue.100000.fact_bytes"));
  const requests = at("busy.10000.1.puts") * PRICES.objectWrites.usd + at("busy.10000.1.gets") * PRICES.objectReads.usd;
  const units = at("busy.10000.1.write_units") * PRICES.tableWrites.usd + at("busy.10000.1.read_units") * PRICES.tableReads.usd;
  const coreSeconds = at("compaction.gather") + at("compaction.merge") * (at("busy.10000.1.amplification") - 1);
  const projectMs = at("sweep.table_calls") * TABLE_CALL_MS + at("sweep.object_calls") * OBJECT_CALL_MS;
  const sweepSeconds = (projects: number): number => (projects * projectMs) / LANES / 1_000;
  const comparing = (rows: number): number => (rows / MILLION) * at("compaction.compare");

  const stages = [
    [
      "Segments of ingest",
      `at most ${show(at("compaction.writeSegments"))} s: making the bench's events is in it`,
      "stays",
      "not by rows: each drain writes its own",
    ],
    ["Head", "not measured: one item, an entry for each month", "stays", "not by rows: about 200 partitions, whatever comes"],
    [
      "Manifests, as stored",
      `${show(perFile("stored_kb") / (rowsOfFile / MILLION))} KB`,
      "stays",
      "not by rows: a swap writes what it changes (below)",
    ],
    [
      "Gather: waiting rows into a loose file",
      `${show(at("compaction.gather"))} s`,
      "stays",
      `one worker's core at ${rate(1 / (at("compaction.gather") / MILLION))} events a second`,
    ],
    [
      "Gather: comparing with the files of the same days",
      `${show(at("compaction.compare"))} s for each million rows of those`,
      "grows with the rows of a day, every five minutes",
      `at ${show(DAY_SECONDS / 288 / at("compaction.compare"))} M rows in a day it takes all of a core`,
    ],
    [
      "Merges: tiers and rewrites",
      `${show(at("compaction.merge"))} s, ${show(at("busy.10000.1.amplification") - 1)} times`,
      "stays",
      "shared among up to four workers (below)",
    ],
    [
      "Fetch, of rows compared",
      `${show(at("compaction.comparedRowBytes"))} MB, ${show(at("compaction.comparedRequests"))} GETs a file`,
      "stays",
      "a process fetches each file's column once",
    ],
    [
      "Table",
      `${show(at("busy.10000.1.write_units"))} write and ${show(at("busy.10000.1.read_units"))} read units`,
      "stays",
      "a partition key takes 1,000 write units a second (AWS's limit): far off",
    ],
    [
      "Object store",
      `${show(at("busy.10000.1.puts"))} PUTs and ${show(at("busy.10000.1.gets"))} GETs`,
      "stays",
      "a prefix takes 3,500 PUTs a second (AWS's limit): far off",
    ],
    [
      "Usage roll-ups",
      "in the table and the store above",
      "stays",
      "by projects of one organization, not by rows: a roll-up is one object of a month",
    ],
    [
      "Persons, folded",
      `${show(at("persons.first"))} s for a million new ones, ${show(at("persons.later"))} s onto ${show(at("persons.known") / 1_000)} thousand`,
      "a layer each time, all of them once in eight",
      "one worker folds a project: by new persons a second, not by events",
    ],
  ];

  const sizes = [1, 10, 100].map((billions) => {
    const files = filesOf(billions * 1_000 * MILLION);
    return [
      `${billions} billion`,
      whole(files),
      `${show((files * perFile("stored_kb")) / 1_000)} MB`,
      `${show((files * perFile("pin_month_ms")) / 1_000)} s`,
      `${show((files * at("catalogue.100000.fact_bytes") * MEMORY_PER_BYTE) / MILLION)} MB`,
      files <= cachedFiles ? "remembered" : "read anew at each question",
    ];
  });

  const catalogues = [1_000, 10_000, 100_000].map((files) => {
    const of = (what: string): number => at(`catalogue.${files}.${what}`);
    return [
      `${whole(files)} files, ${show(of("million_rows") / 1_000)} billion rows`,
      of("leaves") === 0 ? "none" : whole(of("leaves")),
      `${show(of("pin_day_ms"))} ms, ${gets(of("pin_day_gets"))}`,
      `${show(of("pin_month_ms"))} ms, ${gets(of("pin_month_gets"))}`,
      `${show(of("swap_ms"))} ms, ${show(of("swap_written_kb"))} KB`,
      `${show(of("unsplit_swap_ms"))} ms, ${show(of("unsplit_swap_written_kb"))} KB`,
    ];
  });

  const loads = [...values.keys()].flatMap((name) => {
    const [, perSecond, workers] = /^growth\.busy\.(\d+)\.(\d+)\.waiting_minutes$/.exec(name) ?? [];
    if (perSecond === undefined || workers === undefined) return [];
    const of = (what: string): number => at(`busy.${perSecond}.${workers}.${what}`);
    return [
      [
        `${whole(Number(perSecond))} (${show((Number(perSecond) * DAY_SECONDS) / MILLION)} M a day)`,
        workers,
        `${show(of("waiting_minutes"))} minutes, ${show(of("waiting_share"))} %`,
        `${show(of("loose_share"))} %`,
        `${show(of("busy_share"))} %`,
        of("waiting_minutes") < MOST_WAITING_MINUTES && of("loose_share") < MOST_LOOSE ? "yes" : "no",
      ],
    ];
  });

  return `${[
    "# Growth: what each stage costs, and where it breaks",
    "",
    `\`npm run bench -- growth\` measures what stands here and prints this page with it; \`test/bench/growth/figures.json\` are the figures of this one, from two cores at 2.5 GHz. Seconds are a core's time, so that what else the machine does has no part in them. Three kinds of numbers: **measured** ones come from a run of the lake's own code; **extrapolated** ones are arithmetic on those, and are called so; limits and prices of AWS are its own (${PRICES_OF}), because nothing here has run there.`,
    "",
    "## For each million rows",
    "",
    "Measured; where it breaks is extrapolated. Ordinary events: " +
      `${show(at("compaction.plainRowBytes"))} bytes a row as it is sorted, ${show(at("compaction.rowBytes"))} as it is stored.`,
    "",
    table(["Stage", "A million rows", "As data grow", "Where it breaks"], stages),
    "",
    `Extrapolated to money: commits, sweeps and compaction of a million live events are ${usd(requests + units)} of table and store at 10,000 events a second, and ${show(coreSeconds)} seconds of a core, which as a function of 3,008 MB with 1.7 cores is ${usd((coreSeconds / 1.7) * 2.94 * PRICES.functionGbSeconds.usd)}.`,
    "",
    "## Manifests of one month",
    "",
    "Measured, on files that exist in the catalogue only; what is said of them is more alike than of real ones, so these take more bytes as stored. Once the facts of its files pass 4 MB, a manifest names leaves: objects of about 1 MB, each with the files of some days. The last columns are a swap of one gathered file, as it is and as it would be in one object.",
    "",
    table(["Month", "Leaves", "A question of a day", "Of the month", "A swap", "In one object"], catalogues),
    "",
    "## Rows of one project",
    "",
    `Extrapolated from the month of 100,000 files, for a question that no time bounds: a bounded one costs what its days cost. A process remembers about ${whole(cachedFiles)} files, which is ${show((cachedFiles * rowsOfFile) / 1_000 / MILLION)} billion rows.`,
    "",
    table(["Rows", "Files", "Catalogue", "Reading all of it", "Memory", "In a process"], sizes),
    "",
    "So at 100 billion rows of one project a question over all time spends seconds and most of a function's memory on the catalogue alone, before it reads a byte of them: this breaks first. A question over a month of it does not.",
    "",
    "## Events a second of one project",
    "",
    `Measured in a time of its own: the lake's commits, sweeps, jobs and swaps really run, for forty minutes of one day; rows are only counted, and a worker is busy with them for as long as the lanes above take one core. Its own reading and writing of the store is not in it. Rows are gathered every five minutes, and a fifth of them may be loose, so compaction keeps up where none waits for ${MOST_WAITING_MINUTES} minutes and less than ${MOST_LOOSE} % are loose.`,
    "",
    table(["Events a second", "Workers", "Oldest waiting row, share of all", "Loose", "Busy", "Keeps up"], loads),
    "",
    `What is gathered is one worker's; merges are what the others share. Extrapolated, at 100,000 events a second gathering takes ${show((at("compaction.gather") * 100_000) / 10_000)} % of that worker's core, and at the end of a day ${show(comparing(100_000 * DAY_SECONDS) / 3)} % besides, for comparing with the rows of the day. So gathering is what breaks next, at about ${rate(1 / (at("compaction.gather") / MILLION + (DAY_SECONDS * at("compaction.compare")) / MILLION / 300))} events a second of one project; another project has another worker. What it takes to share it, too, is absorbing a commit in parts: \`absorbed\` knows whole commits only. Deployed, two workers run at once (\`maxConcurrency\` of \`jobs\`); raise it for more.`,
    "",
    "## Projects",
    "",
    `Measured: a sweep over ${whole(at("sweep.projects"))} projects, each with rows that wait, takes ${show(at("sweep.cpu_s"))} s of a core, and for each project ${show(at("sweep.table_calls"))} calls of the table, ${show(at("sweep.object_calls"))} of the store and as many messages. Extrapolated, with ${TABLE_CALL_MS} ms a call of the table, ${OBJECT_CALL_MS} ms of the store (assumed) and ${LANES} lanes: ${show(sweepSeconds(at("sweep.projects")))} s of the ${SWEEP_SECONDS} s that a sweep has. With ${whole(Math.floor(SWEEP_SECONDS / sweepSeconds(1) / 1_000) * 1_000)} that are due in the same minute the next sweep goes on where this one stopped; projects of one event an hour are due once an hour.`,
  ].join("\n")}\n`;
};

/** Rows wait for the five minutes between gathers and for a gather's own time, and a fifth of them may be loose: where compaction lags, both pass this. */
const MOST_WAITING_MINUTES = 8;
const MOST_LOOSE = 25;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Three digits are more than any of this is worth. */
const show = (value: number): string =>
  value >= 1_000 ? whole(Number(value.toPrecision(3))) : String(Number(value.toPrecision(2 + Number(value >= 10))));
const whole = (value: number): string => Math.round(value).toLocaleString("en-US");
const rate = (value: number): string => whole(Number(value.toPrecision(2)));
const gets = (count: number): string => `${count} ${count === 1 ? "GET" : "GETs"}`;
const usd = (value: number): string => `$${Number(value.toPrecision(2))}`;
