import { expect, it } from "vitest";
import { ingest } from "../../functions/ingest/ingest.ts";
import { eventMatcher } from "../../lib/error-tracking/matching/event-matcher.ts";
import { ruleList } from "../../lib/error-tracking/matching/rule-list.ts";
import { GroupingRules } from "../../lib/error-tracking/rules.ts";
import type { Delivery } from "../../lib/ports/queues.ts";
import { put } from "../../lib/table/store.ts";
import { deliveryOf } from "../support/samples/capture-messages.ts";
import { ingestWorld, NOW } from "../support/worlds/ingest-world.ts";

const PROJECTS = Array.from({ length: 10 }, (_, at) => at + 1);
const HOSTILE = 1;
const EXCEPTIONS = 200;
const RULE = "01957a50-0c0e-7b52-8a3e-2f6f8a6f1a11";
const STAMP = "2026-01-01T00:00:00.000000Z";
/** Each character of a text is looked at in a thousand places. */
const SLOW = "(?:[a-zA-Z]?){990}[0-9][0-9]";
const LONG = "x".repeat(10_000);
const QUICK = "time[ -]?out \\d+";

const aRule = (project: number, pattern: string) => ({
  project,
  id: RULE,
  filters: JSON.stringify({ type: "AND", values: [{ key: "$exception_values", type: "event", operator: "regex", value: pattern }] }),
  ...{ assignee: null, description: null, order_key: 0, disabled_data: null, created_at: STAMP, updated_at: STAMP },
});

const exceptions = (project: number, count: number, value: string): Delivery =>
  deliveryOf(
    Array.from({ length: count }, (_, at) => ({
      event: "$exception",
      distinct_id: "ann",
      timestamp: "2026-01-12T11:00:00Z",
      properties: { $exception_list: [{ type: `Error${at}`, value }] },
    })),
    { organization: "", project, received: `${NOW}000` },
  );

it("ten projects' exceptions are matched in one drain, and only the tenth's slow rule is put out of force", async () => {
  const { world, table, rows, log } = await ingestWorld(PROJECTS);
  for (const project of PROJECTS) await put(table, GroupingRules, aRule(project, project === HOSTILE ? SLOW : QUICK));
  const deliveries = PROJECTS.map((project) =>
    project === HOSTILE ? exceptions(project, EXCEPTIONS, LONG) : exceptions(project, 20, "a timeout 5 happened"),
  );
  expect(await ingest(deliveries, world, { remainingMs: () => 60_000 }, "live")).toEqual({ failed: [] });
  for (const project of PROJECTS) {
    const fingerprints = (await rows(project)).map(({ properties }) => JSON.parse(String(properties)).$exception_fingerprint);
    const own = fingerprints.filter((fingerprint) => fingerprint === `custom-rule:${RULE}`);
    expect([fingerprints.length, own.length]).toEqual(project === HOSTILE ? [EXCEPTIONS, 0] : [20, 20]);
  }
  const warned = log.lines.filter(({ event }) => event.startsWith("exceptions.rule")).map(({ fields }) => fields);
  expect(warned).toEqual([expect.objectContaining({ project: HOSTILE }), { project: HOSTILE, rule: RULE }]);
});

it("nine projects' rules are asked while the tenth's are: each waits for one turn of its, and for none of the rest", async () => {
  const answered: number[] = [];
  const ask = async (project: number, pattern: string, text: string): Promise<number> => {
    const events = Array.from({ length: 6 }, () => ({ properties: () => ({ $exception_values: [text] }), issue: null }));
    const { filters } = aRule(project, pattern);
    const { count } = await eventMatcher.match(ruleList([filters], "UTC"), events, { project, now: NOW, budget: { steps: 100_000_000 } });
    answered.push(project);
    return count;
  };
  const all = PROJECTS.map((project) => (project === HOSTILE ? ask(project, SLOW, LONG) : ask(project, QUICK, "a timeout 5")));
  expect(await Promise.all(all)).toEqual(PROJECTS.map(() => 6));
  // The hostile project's events take all of a turn each: five of them are asked after everybody else's.
  expect(answered).toEqual([...PROJECTS.slice(1), HOSTILE]);
});
