import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { billing } from "../../../functions/billing/routes.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { storeUsages } from "../../support/samples/stored-usage.ts";
import { aMembership, anOrganization, aPersonalKey, apiWorld, ask, aUser } from "../../support/worlds/api-world.ts";

const TYPES = ["event_count_in_period", "exceptions_captured_in_period"] as const;
const DATE = "2026-11-02";

/** What projects have used by the time of a page: counts of the two types. */
const counts = fc.dictionary(fc.integer({ min: 1, max: 25 }).map(String), fc.tuple(fc.nat(20), fc.nat(20)), { maxKeys: 25 });

const Answer = z.looseObject({
  results: z.array(z.looseObject({ breakdown_value: z.union([z.string(), z.array(z.string())]), data: z.array(z.number()) })),
  next: z.string().nullable(),
  total_count: z.int(),
});

const subject = ({ breakdown_value }: z.output<typeof Answer>["results"][number]): string => String(breakdown_value);

const aHouse = async () => {
  const { world } = apiWorld({ objects: memoryObjects() });
  const organization = await anOrganization(world);
  const owner = await aUser(world, 1);
  await aMembership(world, owner, organization, "owner");
  const key = await aPersonalKey(world, owner, ["billing:read"]);
  return {
    use: async (uses: Readonly<Record<string, readonly [number, number]>>) => {
      for (const [project, each] of Object.entries(uses))
        await storeUsages(world, organization.id, [Number(project)], {
          [DATE]: Object.fromEntries(TYPES.map((type, at) => [type, each[at] ?? 0])),
        });
    },
    ask: async (parameters: Readonly<Record<string, string>>) => {
      const query = new URLSearchParams({ start_date: DATE, end_date: DATE, ...parameters });
      const { status, json } = await ask(billing, world, "GET", `/api/billing/usage/?${query}`, { key });
      expect(status).toBe(200);
      return Answer.parse(json);
    },
  };
};

it("pages hold every series of the first moment once, in its order, whatever grows, shrinks or comes between them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(counts, { minLength: 2, maxLength: 6 }),
      fc.record({
        page_size: fc.integer({ min: 1, max: 9 }),
        breakdowns: fc.constantFrom('["team"]', '["type","team"]'),
        top: fc.option(fc.integer({ min: 1, max: 10 })),
      }),
      async ([first = {}, ...later], { page_size, breakdowns, top }) => {
        const house = await aHouse();
        await house.use(first);
        const asked = { breakdowns, page_size: String(page_size), ...(top !== null && { top_projects: String(top) }) };
        const expected = (await house.ask({ ...asked, page_size: "1000" })).results;
        const totals = expected.map(({ data }) => data[0] ?? 0);
        expect(totals).toEqual(totals.toSorted((one, other) => other - one));
        const seen: string[] = [];
        let after = "";
        for (let page = 0; ; page += 1) {
          const { results, next, total_count } = await house.ask({ ...asked, after });
          expect(total_count).toBe(expected.length);
          seen.push(...results.map(subject));
          if (next === null) break;
          expect(results).toHaveLength(page_size);
          after = next;
          await house.use(later[page % later.length] ?? {});
        }
        expect(seen).toEqual(expected.map(subject));
      },
    ),
    { numRuns: 25 },
  );
});
