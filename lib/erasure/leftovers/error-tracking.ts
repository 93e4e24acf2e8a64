import { forEachConcurrent } from "../../core/concurrency.ts";
import { ConditionFailed, type Item, type Table, type Value } from "../../ports/table.ts";
import { type PartitionName, partitionKey } from "../../table/partitions.ts";
import type { Redactor } from "./redact.ts";

/** Items written side by side. */
const CONCURRENCY = 16;

/** Tries of an item that others change at the same time. */
const TRIES = 5;

type Kept = "text" | "json";

/** Where error tracking keeps what exceptions said: of each partition the attributes that are texts of theirs. */
const TEXTS = {
  issues: { name: "text", description: "text" },
  mergedIssues: { name: "text", description: "text" },
  fingerprints: { record: "json" },
  stackFrames: { contents: "json", context: "json" },
  issueAlerts: { alert: "json", error: "text" },
  issueActivity: { detail: "text" },
  externalReferences: { title: "text" },
  unreadExceptions: { reason: "text" },
} as const satisfies Partial<Record<PartitionName, Readonly<Record<string, Kept>>>>;

/** The partitions in which texts of exceptions are kept. */
const EXCEPTION_TEXTS = Object.keys(TEXTS) as readonly (keyof typeof TEXTS)[];

/** What of the kept texts is to go besides the names in them. */
export interface ForgottenTexts {
  /** Issues that have no exception any more: what was said of them came from who is erased. */
  readonly emptied: ReadonlySet<string>;
  /** Raw ids of the frames that the erased exceptions showed: the values of variables in them may be theirs. */
  readonly frames: ReadonlySet<string>;
}

/** Takes somebody out of all that is kept of exceptions. Gives how many items were changed. Safe to run again. */
export const redactExceptions = async (table: Table, project: number, redact: Redactor, forgotten: ForgottenTexts): Promise<number> => {
  let changed = 0;
  for (const partition of EXCEPTION_TEXTS) {
    let cursor: string | null = null;
    do {
      const page = await table.query({ pk: partitionKey(partition, { project }), consistent: true, cursor });
      await forEachConcurrent(page.items, CONCURRENCY, async (item) => {
        if (await redactItem(table, item, (each) => redactedTexts(each, partition, redact, forgotten))) changed += 1;
      });
      cursor = page.cursor;
    } while (cursor !== null);
  }
  return changed;
};

type Texts = Readonly<Record<string, Value>>;

const redactItem = async (table: Table, found: Item, redacted: (item: Item) => Texts): Promise<boolean> => {
  let item: Item | undefined = found;
  for (let tries = 1; item !== undefined; tries += 1) {
    const set = redacted(item);
    if (Object.keys(set).length === 0) return false;
    const asRead = Object.keys(set).map((attribute) => ({ kind: "equals", attribute, value: item?.[attribute] ?? null }) as const);
    try {
      await table.update(item, { set, ...(typeof item.rev === "number" && { add: { rev: 1 } }) }, { kind: "all", of: asRead });
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tries === TRIES) throw error;
      item = await table.get({ pk: found.pk, sk: found.sk }, { consistent: true });
    }
  }
  return false;
};

/** The attributes of an item that are others without the names. */
const redactedTexts = (item: Item, partition: keyof typeof TEXTS, redact: Redactor, { emptied, frames }: ForgottenTexts): Texts => {
  const set: Record<string, Value> = {};
  for (const [attribute, kind] of Object.entries<Kept>(TEXTS[partition])) {
    const before = item[attribute];
    if (before === undefined || before === null) continue;
    const after = kind === "json" ? redact.json(String(before)) : redacted(before, redact);
    if (JSON.stringify(after) !== JSON.stringify(before)) set[attribute] = after;
  }
  const issue = partition === "fingerprints" ? item.issue_id : item.id;
  if (typeof issue === "string" && emptied.has(issue)) {
    if (partition === "fingerprints" && item.record !== null) set.record = null;
    if ((partition === "issues" || partition === "mergedIssues") && item.description !== null) set.description = null;
  }
  if (partition === "stackFrames" && frames.has(`${String(item.hash)}/${String(item.part)}`)) {
    const contents = withoutValues(typeof set.contents === "string" ? set.contents : item.contents);
    if (contents !== undefined) set.contents = contents;
  }
  return set;
};

/** Of a text a text, and of fields these fields: that is what makes it a value of the table. */
const redacted = (value: Value, redact: Redactor): Value => redact.value(value) as Value;

/** The JSON of a frame without what it says of one exception alone; undefined where it says nothing such. */
const withoutValues = (contents: Value | undefined): string | undefined => {
  if (typeof contents !== "string" || !/"(code_variables|junk_drawer)"/.test(contents)) return undefined;
  const { code_variables: _values, junk_drawer: _junk, ...frame } = Object(JSON.parse(contents)) as Readonly<Record<string, unknown>>;
  return JSON.stringify(frame);
};
