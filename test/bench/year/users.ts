import { writeFile } from "node:fs/promises";
import { derivePersonId } from "../../../lib/event/identity.ts";
import type { StateFile } from "../../../lib/lake/catalogue.ts";
import { parquetFile } from "../../../lib/lake/parquet.ts";
import { buildColumns } from "../../../lib/lake/persons/state-columns.ts";
import { writeFiles } from "../../../lib/lake/persons/state-files.ts";
import { mergedRows } from "../../../lib/lake/persons/state-merge.ts";
import type { StateRow } from "../../../lib/lake/persons/state-rows.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import type { Ids } from "../../../lib/ports/system.ts";
import { userId } from "../corpus.ts";

/** Persons of the set, the busiest first, and the companies that they belong to. */
export const USERS = 60_000;
export const COMPANIES = 2_000;

const PLANS = ["free", "team", "scale", "enterprise"] as const;
const INDUSTRIES = ["retail", "media", "health", "finance", "travel", "education"] as const;
const CITIES = ["Berlin", "Lisbon", "Toronto", "Osaka", "Pune", "Austin", "Lyon"] as const;

/** The company of a user, or null: two of five are alone. */
export const companyOf = (user: number): string | null => (user % 5 < 3 ? `company-${user % COMPANIES}` : null);

/** A file of the users' ids for the statement that makes events. */
export const writeUsers = async (project: number, path: string): Promise<void> => {
  const ids = Array.from({ length: USERS }, (_, user) => userId(user));
  const { content } = await parquetFile(
    [
      { name: "who", kind: "int32", values: Int32Array.from({ length: USERS }, (_, user) => user) },
      { name: "distinct_id", kind: "utf8", values: ids, nullable: false, repeats: false },
      { name: "person_id", kind: "uuid", values: ids.map((id) => derivePersonId(project, id)), repeats: false },
      {
        name: "company",
        kind: "utf8",
        values: Array.from({ length: USERS }, (_, user) => companyOf(user)),
        nullable: true,
        repeats: true,
      },
    ],
    USERS,
    {},
  );
  await writeFile(path, content);
};

const CUT = { most: POLICIES.deployed.fold.fileRows, withGone: false };

/** Snapshots of persons and groups, as a fold leaves them. */
export const writeState = async (
  parts: { readonly objects: Objects; readonly ids: Ids },
  project: number,
  from: number,
): Promise<{ readonly persons: readonly StateFile[]; readonly groups: readonly StateFile[] }> => ({
  persons: await writeFiles(
    parts,
    project,
    "persons",
    mergedRows(parts.objects, "persons", [], buildColumns("persons", personRows(project, from)), CUT),
    0,
  ),
  groups: await writeFiles(
    parts,
    project,
    "groups",
    mergedRows(parts.objects, "groups", [], buildColumns("groups", groupRows(from)), CUT),
    0,
  ),
});

const personRows = (project: number, from: number): StateRow<"persons">[] =>
  Array.from({ length: USERS }, (_, user): StateRow<"persons"> => {
    const distinct_id = userId(user);
    const created_at = BigInt(from + user * 1_000) * 1_000n;
    const properties = JSON.stringify({
      email: `${user}@example.com`,
      name: `Person ${user}`,
      plan: PLANS[user % PLANS.length],
      city: CITIES[(user * 3) % CITIES.length],
      seats: (user * 13) % 97,
      $initial_referring_domain: user % 2 === 0 ? "www.google.com" : "$direct",
      $initial_utm_source: user % 3 === 0 ? "news" : "partner",
      signed_up_at: new Date(from + user * 1_000).toISOString(),
    });
    return [derivePersonId(project, distinct_id), { distinct_id, created_at, properties, is_identified: true, last_seen_at: created_at }];
  }).sort(([a], [b]) => (a < b ? -1 : 1));

const groupRows = (from: number): StateRow<"groups">[] =>
  Array.from({ length: COMPANIES }, (_, number): StateRow<"groups"> => {
    const key = `company-${number}`;
    const at = { time: BigInt(from) * 1_000n, index: 0, uuid: "" };
    const values = { name: `Company ${number}`, industry: INDUSTRIES[number % INDUSTRIES.length], employees: (number * 37) % 5_000 };
    const properties = new Map(Object.entries(values).map(([name, value]) => [name, { at, value }] as const));
    return [`0:${key}`, { slot: 0, key, createdAt: at.time, updatedAt: at.time, properties }];
  }).sort(([a], [b]) => (a < b ? -1 : 1));
