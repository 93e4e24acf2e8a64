import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { eventually } from "../../test/support/processes/platform.ts";
import { wholeDocument } from "../../test/support/whole-document.ts";
import { UserError } from "../local/user-error.ts";
import { run } from "./run.ts";

let folder = "";
let flags: readonly string[] = [];
let file = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "admin-"));
  flags = ["--data-dir", join(folder, "data")];
  file = join(folder, "document.json");
  await writeFile(file, JSON.stringify(wholeDocument()));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const admin = (...words: readonly string[]) => run([...words, ...flags], {});

const Keys = z.array(z.object({ id: z.guid(), kind: z.string(), label: z.string(), owner: z.string() }));
const values = (text: string) => text.match(/ph[xs]_[0-9A-Za-z]{43}/g) ?? [];

test("apply prints one JSON document, its keys are listed, and a revoked one is made anew by the next apply", async () => {
  const first = await admin("apply", file);
  expect(JSON.parse(first)).toMatchObject({ organizations: [{ key: "acme", projects: [{ id: 1 }] }] });
  expect(values(first)).toHaveLength(4);

  const keys = Keys.parse(JSON.parse(await admin("keys", "list", "--json")));
  expect(keys.map((key) => [key.kind, key.label, key.owner])).toEqual([
    ["personal", "all", "ana@acme.test"],
    ["personal", "read", "bob@acme.test"],
    ["secret", "backend", "project 1"],
  ]);

  const revoked = keys[2]?.id ?? "";
  expect(await admin("keys", "revoke", revoked)).toBe(`Revoked ${revoked}.\n`);
  await expect(admin("keys", "revoke", revoked)).rejects.toThrow(`There is no key ${revoked}`);
  expect(values(await admin("apply", file))).toHaveLength(1);
  expect(values(await admin("apply", file))).toHaveLength(0);
  expect(JSON.parse(await admin("usage", "--project", "1", "--json"))).toEqual({
    project: 1,
    usage: [],
    waiting: [],
    dropped_properties: 0,
    unread_exceptions: [],
    issues_opened_today: 0,
    failing: [],
  });
  expect(JSON.parse(await admin("projects", "--json"))).toMatchObject([{ id: 1, token: expect.stringMatching(/^phc_/) }]);
  expect(await admin("projects")).toMatch(/^id +name +time zone +organization +grouping +kept +token\n1 /);
  expect(await admin("projects", "grouping", "--project", "1")).toBe("Project 1 groups exceptions by version 2.\n");
  expect(JSON.parse(await admin("projects", "grouping", "--project", "1", "--version", "1", "--json"))).toEqual({
    project: 1,
    version: 1,
    before: 2,
  });
  await expect(admin("projects", "grouping", "--project", "1", "--version", "3")).rejects.toThrow(
    'no version "3" of grouping: give 1 or 2',
  );
  for (const day of ["November", "2026-02-30"]) {
    await expect(admin("usage", "--project", "1", "--from", day)).rejects.toThrow(`"${day}" is no day: write it as 2026-11-30.`);
  }
  await expect(admin("usage", "--project", "1", "--from", "2026-02-02", "--to", "2026-02-01")).rejects.toThrow("a day before --to");
  expect(JSON.parse(await admin("groups", "list", "--project", "1", "--json"))).toEqual([]);
  await expect(admin("groups", "remove", "company", "--project", "1")).rejects.toThrow('no group type "company"');
  expect(JSON.parse(await admin("redrive", "--json"))).toEqual({ live: 0, historical: 0, jobs: 0 });
});

test("apply --dry-run tells what the document would make or change, and makes neither that nor a directory", async () => {
  await admin("apply", file);
  const changed = join(folder, "changed.json");
  await writeFile(changed, JSON.stringify(wholeDocument()).replace('"Acme"', '"Acme & Sons"'));
  const change = { change: "change", what: "organization", name: "Acme & Sons", of: "", attributes: ["name"] };
  expect(JSON.parse(await admin("apply", "--dry-run", changed, "--json"))).toEqual([change]);
  expect(await admin("apply", changed, "--dry-run")).toMatch(/^ +what +name +of +changes\nchange +organization +Acme & Sons +name\n$/);
  expect(await admin("apply", "--dry-run", file)).toBe("Everything in the document is there already.\n");
  await writeFile(changed, JSON.stringify({ organizations: [{ key: "other" }] }));
  await expect(admin("apply", "--dry-run", changed)).rejects.toThrow("organizations[0].name: a new organization needs a name");
  const nowhere = join(folder, "nowhere");
  await expect(run(["apply", "--dry-run", file, "--data-dir", nowhere], {})).rejects.toThrow("There is no data directory");
});

test("a price list is told before it is applied, and listed once it is", async () => {
  const flags = ["--data-dir", join(folder, "prices")];
  const priced = async (usd: string) => {
    const plans = [{ plan_key: "paid", name: "Paid", tiers: [{ up_to: null, unit_amount_usd: usd }] }];
    const product = { type: "events", name: "Events", usage_key: "events", usage_type: "event_count_in_period", plans };
    await writeFile(join(folder, "prices.json"), JSON.stringify({ billing_catalogue: { products: [product] } }));
    return join(folder, "prices.json");
  };
  await run(["apply", await priced("3"), ...flags], {});
  const told = await run(["apply", "--dry-run", await priced("5"), ...flags], {});
  expect(told).toMatch(
    /\nPrice list 2 is for periods that begin at \d{4}-\d\d-01T00:00:00Z or later\.\n0 organizations hold plans that it changes\.\n/,
  );
  expect(told).toMatch(/\nchange +events +paid +0 +tiers\[0\].unit_amount_usd: 3 -> 5\n$/);
  await run(["apply", await priced("5"), ...flags], {});
  expect(await run(["billing", "catalogue", ...flags], {})).toMatch(
    /^number +effective from +state +products +replaces\n1 +the beginning +in force +events\n2 +\S+-01T00:00:00Z +to come +events\n\nNobody holds a plan.\n$/,
  );
  expect(JSON.parse(await run(["billing", "catalogue", "--json", ...flags], {}))).toMatchObject([
    { id: "v000001", number: 1, effective_from: null, state: "in_force", products: ["events"], replaces: {}, held: [] },
    { id: "v000002", number: 2, state: "to_come" },
  ]);
});

test("an operator gives credit, suspends an account and lets it go on, and is told what there is not", async () => {
  const tree = z.object({ organizations: z.array(z.object({ id: z.guid() })) }).parse(JSON.parse(await admin("apply", file)));
  const of = ["--organization", tree.organizations[0]?.id ?? "", "--json"];
  const told = async (...words: readonly string[]): Promise<unknown> => JSON.parse(await admin("billing", ...words, ...of));
  const nothing = { owed_usd: "0.00", overdue_usd: "0.00", credit_usd: "0.00" };
  expect(await told("show")).toMatchObject({ ...nothing, organizations: [{ status: "free", ...nothing, entries: [] }] });
  expect(await told("credit", "20.50", "--expires", "2099-01-01")).toMatchObject({ usd: "20.50" });
  await expect(told("credit", "20.50", "--expires", "2099-02-30")).rejects.toThrow('"2099-02-30" is no day');
  await expect(told("credit", "20.50", "--expires", "2020-01-01")).rejects.toThrow("--expires 2020-01-01 is over: give a day to come.");
  expect(await told("suspend")).toEqual({ status: "suspended" });
  const shown = z.object({ organizations: z.array(z.looseObject({ entries: z.array(z.looseObject({ id: z.string() })) })) });
  const credit = shown.parse(await told("show")).organizations.flatMap(({ entries }) => entries);
  expect(credit).toMatchObject([{ what: "credit (manual)", state: "active", usd: "20.50" }]);
  expect(await told("resume")).toEqual({ status: "free" });
  const id = credit[0]?.id ?? "";
  await expect(told("pay", id)).rejects.toThrow(`The credit ${id} is active`);
  expect(await told("void", id)).toEqual({ voided: id });
  await expect(told("write-off", "nothing")).rejects.toThrow("There is no invoice, receivable or credit nothing");
});

test("a document that is no JSON is refused with the place, and a file that is none with its name", async () => {
  const broken = join(folder, "broken.json");
  await writeFile(broken, '{\n  "organizations": [,]\n}');
  await expect(admin("apply", broken)).rejects.toThrow(`${broken} is not valid JSON (line 2, column 21).`);
});

test("a document that begins with a byte order mark is read as one without", async () => {
  const marked = join(folder, "marked.json");
  await writeFile(marked, `\uFEFF${await readFile(file, "utf8")}`);
  expect(await admin("apply", "--dry-run", marked)).toBe("Everything in the document is there already.\n");
});

test("a directory that is a file, or is not there for a command that makes none, is told in one sentence", async () => {
  await expect(run(["apply", file, "--data-dir", file], {})).rejects.toThrow(`${file} is a file: name a directory with --data-dir.`);
  const other = join(folder, "letters");
  await mkdir(other, { mode: 0o755 });
  for (const none of [join(folder, "nowhere"), other]) {
    await expect(run(["keys", "list", "--data-dir", none], {})).rejects.toThrow(/^There is no data directory/);
  }
  expect([await readdir(other), (await stat(other)).mode & 0o777]).toEqual([[], 0o755]);
});

test("every command explains itself with an example, without touching anything", async () => {
  for (const name of [
    "apply",
    "keys list",
    "keys revoke",
    "groups list",
    "groups rename",
    "groups remove",
    "endpoints test",
    "query",
    "projects grouping",
    "projects remove",
    "erase",
    "imports",
    "undo",
    "projects",
    "properties",
    "usage",
    "doctor",
    "verify",
    "backup",
    "restore",
    "billing catalogue",
    "billing show",
    "billing overdue",
    "billing startups approve",
    "billing startups",
    "license install",
    "redrive",
  ]) {
    const help = await run([...name.split(" "), "--help", "--data-dir", join(folder, "never")], {});
    expect(help).toContain(`Example: npm run --silent admin -- ${name}`);
  }
  expect(await run([], {})).toContain("apply FILE|-");
});

/** Notes the address of each module that is loaded, and prints them in the end. */
const NOTED = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on("exit", () => process.stderr.write(JSON.stringify(loaded)));
`;

test("help is there at once: no package and nothing of the library is loaded for it", async () => {
  const hooks = `data:text/javascript,${encodeURIComponent(NOTED)}`;
  const { stderr } = await promisify(execFile)(process.execPath, ["--import", hooks, join(import.meta.dirname, "main.ts"), "--help"]);
  const files = z
    .array(z.string())
    .parse(JSON.parse(stderr))
    .filter((url) => url.startsWith("file:"));
  expect(files.length).toBeGreaterThan(2);
  const own = pathToFileURL(join(import.meta.dirname, "..")).href;
  expect(files.filter((url) => !url.startsWith(own))).toEqual([]);
  expect(files.length).toBeLessThan(10);
});

test("whoever reads what is printed may go before the end", async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), "--help"]);
  child.stdout.destroy();
  const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect([said, exitCode]).toEqual(["", 0]);
});

test("a command that is stopped ends with 1, as one that failed, and says so", async () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const directory = join(folder, signal);
    // It waits for a document that does not come.
    const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), "apply", "-", "--data-dir", directory]);
    await eventually(() => access(join(directory, "platform.lock")));
    child.kill(signal);
    const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([said, exitCode]).toEqual(["Stopped.\n", 1]);
  }
});

// There is such a device on Linux.
test.skipIf(process.platform !== "linux")("what cannot be printed is one readable line", async () => {
  const full = await open("/dev/full", "w");
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), "--help"], { stdio: ["ignore", full.fd, "pipe"] });
  const [said, [exitCode]] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, "exit")]);
  await full.close();
  expect([said, exitCode]).toEqual([expect.stringMatching(/^Standard output cannot be written: ENOSPC.*\n$/), 1]);
});

test("a directory whose queues cannot be opened is told, and the command ends", async () => {
  const directory = join(folder, "damaged");
  await mkdir(join(directory, "store"), { recursive: true });
  await writeFile(join(directory, "store", "fauxqs.db"), "no database ".repeat(100));
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), "projects", "--data-dir", directory], { timeout: 30_000 });
  const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect([said, exitCode]).toEqual(["The embedded queue and object store did not start: file is not a database\n", 1]);
});

test.each(["keys", "groups"])("%s --help shows each of the commands that begin so", async (word) => {
  const help = await run([word, "--help"], {});
  expect(help).toContain(`npm run --silent admin -- ${word} list\n`);
  expect(help).not.toContain("The operator's commands");
});

test.each([
  [["fly"], "There is no command"],
  [["apply"], "Usage: npm run --silent admin -- apply FILE|-"],
  [["apply", "/no/such/file.json"], "cannot be read"],
  [["usage"], "Give the project's id"],
  [["usage", "--project", "77"], "There is no project 77"],
  [["usage", "--project", "1.0"], "Give the project's id"],
  [["apply", "x", "--loud"], "Unknown option"],
  [["usage", "--project"], "Did you forget to specify the option argument"],
  [["usage", "--project", ""], "--project is empty: give a value"],
  [["backup", "--to", ""], "--to is empty: give a value"],
  [["export", "--event", "seen", "--event", ""], "--event is empty: give a value"],
])("the mistake in %j is one readable line", async (words, message) => {
  const error: unknown = await admin(...words).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "UserError" });
  expect(String(error)).toContain(message);
  expect(String(error)).not.toContain("\n");
});

test("keys of tokens that are none are told in a sentence, and nothing is encrypted", async () => {
  const data = join(folder, "malformed");
  await mkdir(data);
  await writeFile(join(data, "token-keys"), "c2VjcmV0\n");
  const integrations = [{ key: "gh", kind: "github", config: { access_token: "of-acme" } }];
  const document = { organizations: [{ key: "acme", name: "Acme", projects: [{ key: "shop", name: "Shop", integrations }] }] };
  const connecting = join(folder, "connecting.json");
  await writeFile(connecting, JSON.stringify(document));
  const told = await run(["apply", connecting, "--data-dir", data], {}).catch((thrown: unknown) => thrown);
  expect(told).toBeInstanceOf(UserError);
  expect(String(told)).toContain("line 1 of the keys of tokens");
  expect(String(told)).not.toContain("c2VjcmV0");
});
