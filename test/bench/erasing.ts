import { beginErasure } from "../../lib/erasure/erase.ts";
import { POLICIES } from "../../lib/lake/policy.ts";
import { removeRows } from "../../lib/lake/remove-rows.ts";
import { Projects } from "../../lib/projects/projects.ts";
import { get } from "../../lib/table/store.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { userId } from "./corpus.ts";
import { type Figure, median, type Part } from "./figures.ts";
import { rangeOf, yearQueries } from "./year/queries.ts";
import { USERS } from "./year/users.ts";
import { openYearWorld, type YearWorld } from "./year/world.ts";
import { byDays, READ_DAYS, READ_DIRECTORY, yearSet } from "./year/year-set.ts";

/** Two projects with all of the year: one that forgets persons, and one that does not. */
const KEEPING = READ_DAYS;
const FORGETTING = READ_DAYS + 1;

/** Persons whose erasure is timed, of whom the first did most of all, and all that are erased: their bytes are still in the files. */
const TIMED = 5;
const APART = 5_000;
const WAITING = 1_000;

/** Queries that are compared, and how often each is asked on both sides. */
const ASKED = ["daily counts", "unique users per day", "top pages", "one-user timeline", "person-property join"];
const ROUNDS = 5;

const MOST_S = 1;
const MOST_RATIO = 1.1;

/**
 * Erasing a person from a year of events until no query sees them; and what queries cost while the bytes of a thousand erased persons wait
 * to be taken from the files, beside the same files without erasures.
 */
export const erasing: Part = {
  name: "erase",
  seconds: 150,
  measures: ["lib/engine", "lib/hogql", "lib/lake"],
  async run() {
    const set = await yearSet(READ_DIRECTORY, (line) => console.log(line), READ_DAYS);
    const world = await openYearWorld(set.objects, READ_DIRECTORY, byDays(set, [KEEPING, FORGETTING]));
    try {
      const times: number[] = [];
      for (let at = 0; at < TIMED; at += 1) times.push(await eraseOne(world, userId(at * APART)));
      await eraseMany(
        world,
        Array.from({ length: WAITING - TIMED }, (_, at) => erasedUser(TIMED + at)),
      );
      return [
        {
          name: "erase.person_s",
          value: median(times) / 1_000,
          unit: "s",
          baseline: `until no query sees them, of ${set.files.reduce((sum, { rows }) => sum + rows, 0)} events, the median of ${TIMED}, each ${APART} places further down the list of who did most; at most ${MOST_S}`,
        },
        {
          name: "erase.busiest_person_s",
          value: (times[0] ?? 0) / 1_000,
          unit: "s",
          baseline: "the same of whom most events are of, the first that the process erases",
        },
        await readsRatio(world),
      ];
    } finally {
      await world.close();
    }
  },
};

/** Spread over all users: the busy ones are among them, and those who are hardly there. */
const erasedUser = (at: number): string => userId((at * 59) % USERS);

const eraseOne = async ({ world }: YearWorld, distinctId: string): Promise<number> => {
  const project = await get(world.table, Projects, { id: FORGETTING }, { consistent: true });
  if (project === undefined) throw new Error("the project is missing");
  const began = performance.now();
  const step = await beginErasure(world, POLICIES.deployed, project, { distinctId });
  const ms = performance.now() - began;
  if (step?.outcome !== "done" || step.erasure.counts.rows === 0) throw new Error(`${distinctId} was not erased: ${JSON.stringify(step)}`);
  return ms;
};

/** In one removal: their erasures, one after the other, would leave the same. */
const eraseMany = async ({ world }: YearWorld, distinctIds: readonly string[]): Promise<void> => {
  const parts = { ...world, rowFiles: world.engine.rowFiles };
  const { outcome, rows } = await removeRows(parts, POLICIES.deployed, FORGETTING, { kind: "ids", distinctIds });
  if (outcome !== "done" || rows === 0) throw new Error(`${distinctIds.length} persons were not erased: ${outcome}`);
};

/** The worst ratio of medians, each question asked of both projects in turn. */
const readsRatio = async (world: YearWorld): Promise<Figure> => {
  let worst = { ratio: 0, name: "", ms: 0 };
  for (const query of yearQueries.filter(({ name }) => ASKED.includes(name))) {
    const variables = (round: number) => ({ ...rangeOf(READ_DAYS), ...query.variables(round) });
    const ask = async (days: number, round: number): Promise<number> => {
      const { status, ms, body } = await world.run(days, query.name, { variables: variables(round) });
      if (status !== 200) throw new Error(`${query.name} was answered ${status}: ${body}`);
      return ms;
    };
    const times: Record<number, number[]> = { [KEEPING]: [], [FORGETTING]: [] };
    for (const days of [KEEPING, FORGETTING]) {
      await world.save(days, query.name, sqlQuery(query.text, variables(0)));
      await ask(days, 0);
    }
    for (let round = 1; round <= ROUNDS; round += 1) {
      // Who goes first changes, so that what else the machine does falls on both.
      for (const days of round % 2 === 0 ? [KEEPING, FORGETTING] : [FORGETTING, KEEPING]) times[days]?.push(await ask(days, round));
    }
    const [kept, forgotten] = [median(times[KEEPING] ?? []), median(times[FORGETTING] ?? [])];
    const ratio = forgotten / kept;
    if (ratio > worst.ratio) worst = { ratio, name: query.name, ms: kept };
  }
  return {
    name: "erase.reads_ratio",
    value: worst.ratio,
    unit: "ratio",
    baseline: `"${worst.name}" without erasures, ${worst.ms.toFixed(0)} ms; the worst of ${ASKED.length} with ${WAITING} persons' bytes waiting; at most ${MOST_RATIO}`,
  };
};
