import fc from "fast-check";
import { expect, test } from "vitest";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { isFields } from "../../../lib/event/fields.ts";
import { CORPUS } from "../../stacks/corpus.ts";
import { deliveryOf } from "../../support/samples/capture-messages.ts";
import { ingestWorld, NOW } from "../../support/worlds/ingest-world.ts";

/** Longer ones would only be longer when they are multiplied. */
const MOST_CHARACTERS = 5_000;

const SENT = Object.values(CORPUS)
  .flat()
  .map(({ properties }) => properties)
  .filter((properties) => JSON.stringify(properties).length < MOST_CHARACTERS);

/** Where in a value something is done, and what: the place is chosen by numbers, each taken modulo the keys that are there. */
interface Change {
  readonly path: readonly number[];
  readonly make: (value: unknown) => unknown;
}

const DROPPED = Symbol("dropped");

const make: fc.Arbitrary<Change["make"]> = fc.oneof(
  fc.constant(() => DROPPED),
  fc.jsonValue({ maxDepth: 2 }).map((odd) => () => odd),
  fc.constantFrom(null, -1, 2 ** 60, 0.5, "", "\0", "\ud800", true, [], {}, { toString: 1, toJSON: 2 }).map((odd) => () => odd),
  fc.constantFrom(1, 30).map((depth) => (value: unknown) => Array.from({ length: depth }).reduce((inner) => [inner], value)),
  fc.constantFrom(2, 20).map((times) => (value: unknown) => Array.from({ length: times }, () => value)),
  fc.constantFrom("x", "7", "a1", "€").map((piece) => () => piece.repeat(2_000)),
);

const change: fc.Arbitrary<Change> = fc.record({ path: fc.array(fc.nat(50), { minLength: 1, maxLength: 7 }), make });

/** A copy with the change made at its place, or as deep as there is one. */
const changed = (value: unknown, [first, ...rest]: readonly number[], make: Change["make"]): unknown => {
  if (first === undefined || typeof value !== "object" || value === null) return make(value);
  const keys = Object.keys(value);
  if (keys.length === 0) return make(value);
  const key = keys[first % keys.length] ?? "";
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const other = name === key ? changed(inner, rest, make) : inner;
    return other === DROPPED ? [] : [[name, other] as const];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
};

const disfigured = fc
  .tuple(fc.constantFrom(...SENT), fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([properties, changes]): Readonly<Record<string, unknown>> => {
    const made = changes.reduce((sofar: unknown, { path, make }) => changed(sofar, path, make), properties);
    return isFields(made) ? made : {};
  });

const holdsAnException = ({ $exception_list: list }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(list) && list.some((each: unknown) => isFields(each));

test("whatever becomes of an SDK's events on their way, each has an issue as long as there is an exception in it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(disfigured, { minLength: 10, maxLength: 10 }), async (sent) => {
      const { world, rows, log } = await ingestWorld([1]);
      const events = sent.map((properties, at) => ({ event: "$exception", distinct_id: `ann-${at}`, properties }));
      const { failed } = await ingest([deliveryOf(events, { received: `${NOW}000` })], world, { remainingMs: () => 60_000 }, "live");
      expect(failed).toEqual([]);
      expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
      const stored = new Map((await rows(1)).map((row) => [row.distinct_id, JSON.parse(String(row.properties))]));
      for (const [at, properties] of sent.entries()) {
        const { $exception_issue_id: issue, $cymbal_errors: errors } = stored.get(`ann-${at}`) ?? {};
        expect(typeof issue).toBe(holdsAnException(properties) ? "string" : "undefined");
        if (issue === undefined) expect(errors).toEqual([expect.stringMatching(/^\$exception_list /)]);
      }
    }),
    { numRuns: 30 },
  );
});
