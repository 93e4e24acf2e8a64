import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { bundle, type Entry, ROOT } from "../../infra/bundle.ts";
import { bundleAll, entries } from "../../infra/functions.ts";
import { corpus } from "./corpus.ts";
import { type Figure, median, type Part } from "./figures.ts";

const ROUNDS = 9;
const KB = 1024;

/** A function and the bare one that it is held against: the same clients, the same calls, nothing else. */
interface Measured {
  readonly name: string;
  readonly event: object;
  /** What the bare function does: calls of clients. */
  readonly bare: string;
}

const DYNAMO =
  'import { DynamoDBClient } from "@aws-sdk/client-dynamodb"; import { DynamoDBDocumentClient, GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";';
const DYNAMO_OPEN = "const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));";
const KEY = '{ TableName: "bench", Key: { pk: "a", sk: "b" }, ConsistentRead: true }';

/** As many calls as the function's first answer takes; counted by the server, so that both make the same number. */
const reads = (count: number): string => Array.from({ length: count }, () => `await table.send(new GetCommand(${KEY}));`).join(" ");

const gatewayEvent = (method: string, path: string, body: Buffer | null, headers: Readonly<Record<string, string>>): object => ({
  httpMethod: method,
  path,
  headers,
  multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  multiValueQueryStringParameters: null,
  body: body?.toString("base64") ?? null,
  isBase64Encoded: body !== null,
  requestContext: { requestId: "bench", identity: { sourceIp: "127.0.0.1" }, domainName: "bench.test" },
});

const events = [...corpus({ seed: 6, events: 20, from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 10, 2) })];
const batch = gzipSync(JSON.stringify({ api_key: "phc_bench", batch: events }));
const bearer = { authorization: "Bearer phx_bench_key_of_the_right_length_000000000", "content-type": "application/json" };

const MEASURED: readonly Measured[] = [
  {
    name: "capture",
    event: gatewayEvent("POST", "/batch/", batch, { "content-type": "application/json", "content-encoding": "gzip" }),
    bare: `${DYNAMO} import { SQSClient, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
      const open = () => { ${DYNAMO_OPEN} const queue = new SQSClient({}); return { table, queue }; };
      const { table, queue } = open();
      export const handler = async (event) => { ${reads(2)}
        await queue.send(new SendMessageBatchCommand({ QueueUrl: process.env.LIVE_QUEUE_URL, Entries: [{ Id: "0", MessageBody: event.body }] }));
        return { statusCode: 200, body: "" }; };`,
  },
  {
    name: "endpoints",
    event: gatewayEvent("GET", "/api/projects/1/endpoints/", null, bearer),
    bare: `${DYNAMO} ${DYNAMO_OPEN} export const handler = async () => { ${reads(1)} return { statusCode: 401, body: "" }; };`,
  },
];

/**
 * From an empty process to the first answer, against a bundle that opens the same clients and makes the same calls, on a server that
 * answers at once; and the size of what is loaded for it.
 */
export const load: Part = {
  name: "load",
  seconds: 40,
  measures: ["functions", "infra/bundle.ts", "lib"],
  async run(): Promise<readonly Figure[]> {
    const folder = await mkdtemp(join(tmpdir(), "load-"));
    const server = await answering();
    try {
      const bundles = await bundleAll(join(folder, "functions"));
      const figures: Figure[] = [];
      const ratios = new Map<string, { readonly ratio: number; readonly text: string }>();
      for (const measured of MEASURED) ratios.set(measured.name, await compare(measured, bundles.get(measured.name) ?? "", folder, server));
      const capture = ratios.get("capture");
      const crud = [...ratios].filter(([name]) => name !== "capture").map(([name, found]) => ({ name, ...found }));
      const worst = crud.toSorted((a, b) => b.ratio - a.ratio)[0];
      figures.push(
        {
          name: "load.capture_ratio_to_sdk",
          value: capture?.ratio ?? Number.NaN,
          unit: "ratio",
          baseline: `${capture?.text}; at most 1.3`,
        },
        {
          name: "load.worst_crud_ratio_to_sdk",
          value: worst?.ratio ?? Number.NaN,
          unit: "ratio",
          baseline: `${worst?.name}: ${worst?.text}; at most 1.4`,
        },
      );
      const sizes = await Promise.all(
        entries
          .filter(({ name }) => name === "capture" || CRUD.has(name))
          .map(async (entry) => ({ name: entry.name, ...(await sizeOf(entry, join(folder, "sizes", entry.name))) })),
      );
      const size = (name: string) => sizes.find((each) => each.name === name);
      const largest = sizes.filter(({ name }) => name !== "capture").toSorted((a, b) => b.first - a.first)[0];
      figures.push(
        {
          name: "size.capture_kb",
          value: Math.round((size("capture")?.all ?? 0) / KB),
          unit: "KB",
          baseline: "all of its files, minified; at most 600",
        },
        {
          name: "size.worst_crud_kb",
          value: Math.round((largest?.first ?? 0) / KB),
          unit: "KB",
          baseline: `${largest?.name}: what every answer loads (all of its files: ${Math.round((largest?.all ?? 0) / KB)}); at most 800`,
        },
      );
      return figures;
    } finally {
      server.close();
      await rm(folder, { recursive: true });
    }
  },
};

/** Functions that only read and write the table. */
const CRUD: ReadonlySet<string> = new Set(
  entries.filter(({ uses, name }) => name !== "sweep" && Object.keys(uses).every((part) => part === "table")).map(({ name }) => name),
);

const compare = async ({ name, event, bare }: Measured, ours: string, folder: string, server: Server) => {
  const theirs = join(folder, `${name}-bare`);
  await mkdir(theirs);
  await build({
    stdin: { contents: bare, resolveDir: ROOT },
    outfile: join(theirs, "handler.mjs"),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    banner: { js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);' },
  });
  const eventFile = join(folder, `${name}.json`);
  await writeFile(eventFile, JSON.stringify(event));
  const times: { ours: number; theirs: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = { ours: await firstAnswer(ours, eventFile, server), theirs: await firstAnswer(theirs, eventFile, server) };
    if (one.ours.calls !== one.theirs.calls) throw new Error(`${name} makes ${one.ours.calls} calls, the bare one ${one.theirs.calls}`);
    if (round > 0) times.push({ ours: one.ours.ms, theirs: one.theirs.ms });
  }
  const [mine, bareMs] = [median(times.map((time) => time.ours)), median(times.map((time) => time.theirs))];
  return { ratio: median(times.map((time) => time.ours / time.theirs)), text: `${Math.round(mine)} ms against ${Math.round(bareMs)} ms` };
};

const run = promisify(execFile);

/** A fresh process that loads a bundle, answers one event and says how long it took from its own beginning. */
const firstAnswer = async (folder: string, eventFile: string, server: Server): Promise<{ readonly ms: number; readonly calls: number }> => {
  const before = callsOf.get(server) ?? 0;
  const address = server.address();
  const endpoint = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const script = `import { readFileSync } from "node:fs";
    const event = JSON.parse(readFileSync(${JSON.stringify(eventFile)}, "utf8"));
    const began = performance.now();
    const { handler } = await import(${JSON.stringify(join(folder, "handler.mjs"))});
    const reply = await handler(event, { getRemainingTimeInMillis: () => 9e3 });
    process.stderr.write(JSON.stringify({ ms: performance.now() - began, status: reply.statusCode }));
    process.exit(0);`;
  const environment = {
    PATH: process.env.PATH ?? "",
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "bench",
    AWS_SECRET_ACCESS_KEY: "bench",
    AWS_ENDPOINT_URL: endpoint,
    TABLE_NAME: "bench",
    BUCKET_NAME: "bench",
    LIVE_QUEUE_URL: `${endpoint}/1/live`,
    HISTORICAL_QUEUE_URL: `${endpoint}/1/historical`,
  };
  const { stderr } = await run(process.execPath, ["--input-type=module", "-e", script], { env: environment });
  const { ms, status }: { ms: number; status: number } = JSON.parse(stderr.slice(stderr.lastIndexOf('{"ms"')));
  if (status >= 500) throw new Error(`${folder} answered ${status}: ${stderr}`);
  return { ms, calls: (callsOf.get(server) ?? 0) - before };
};

const callsOf = new WeakMap<Server, number>();

/** A table that knows one project's token and nothing else, and a queue that takes everything. */
const answering = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    const target = request.headers["x-amz-target"] ?? "";
    callsOf.set(server, (callsOf.get(server) ?? 0) + 1);
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const asked = Buffer.concat(parts).toString();
      response.setHeader("content-type", "application/x-amz-json-1.0");
      if (String(target).startsWith("AmazonSQS")) return response.end(sent(asked));
      return response.end(JSON.stringify(asked.includes("phx") ? {} : { Item: TOKEN_ITEM }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
};

const TOKEN_ITEM = {
  pk: { S: "a" },
  sk: { S: "b" },
  entity: { S: "project-token" },
  v: { N: "1" },
  project_id: { N: "1" },
  organization_id: { S: "bench" },
  state: { S: "active" },
};

const sent = (asked: string): string => {
  const { Entries }: { Entries: readonly { readonly Id: string; readonly MessageBody: string }[] } = JSON.parse(asked);
  // The client checks what the queue says it got.
  const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
  const Successful = Entries.map(({ Id, MessageBody }) => ({ Id, MessageId: Id, MD5OfMessageBody: md5(MessageBody) }));
  return JSON.stringify({ Successful, Failed: [] });
};

/** Bytes of a bundle's files: all of them, and what every answer loads, from the handler on, without what some operations load for themselves. */
const sizeOf = async (entry: Entry, folder: string): Promise<{ readonly all: number; readonly first: number }> => {
  const { outputs } = await bundle(entry, folder);
  const paths = Object.keys(outputs).filter((path) => path.endsWith(".mjs"));
  const loaded = new Set(paths.filter((path) => outputs[path]?.entryPoint === entry.handler));
  for (const path of loaded) {
    for (const next of outputs[path]?.imports ?? [])
      if (next.path in outputs && !isForSome(outputs[next.path]?.entryPoint)) loaded.add(next.path);
  }
  const sum = (some: Iterable<string>): number => [...some].reduce((total, path) => total + (outputs[path]?.bytes ?? 0), 0);
  return { all: sum(paths), first: sum(loaded) };
};

const isForSome = (source: string | undefined): boolean => FOR_SOME.some((each) => each === source);

/** What only some operations load: they save queries, look into one, run one in another function, or pay through Stripe. */
const FOR_SOME = [
  "functions/dashboards/save.ts",
  "lib/endpoints/acceptance/accept-query.ts",
  "functions/endpoints/materialisation/transform.ts",
  "functions/endpoints/materialisation/preview.ts",
  "lib/endpoints/materialisation/version-reason.ts",
  "functions/endpoints/materialisation/suggestion.ts",
  "functions/endpoint-runs/run.ts",
  "functions/llm-analytics/spend.ts",
  "lib/billing/payments/stripe.ts",
] as const;
