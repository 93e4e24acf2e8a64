import { hash } from "node:crypto";
import * as z from "zod";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, type Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { keyIn, within } from "../table/partitions.ts";
import { list } from "../table/store.ts";
import { ABSENT } from "../table/transact.ts";

/** What erasing somebody took away, by kind. */
export const ErasedCounts = z.object({
  /** Events that queries saw when it began, the UTC days and the months that they were of. */
  rows: z.int(),
  days: z.int(),
  months: z.int(),
  /** Results of runs, tables of saved queries, which are made anew, and their files. */
  tables: z.int(),
  objects: z.int(),
  /** Texts that error tracking keeps of exceptions. */
  texts: z.int(),
  /** Messages that were given up on, and files of large requests. */
  dead_letters: z.int(),
  messages: z.int(),
});
export type ErasedCounts = z.output<typeof ErasedCounts>;

/** That somebody was erased, and what went with them. It is the certificate, and holds nothing that says who it was. */
export const Erasures = entity({
  name: "erasure",
  version: 1,
  schema: z.object({
    project: z.int(),
    /** Of version 7, so the partition is in the order of requests. */
    id: z.guid(),
    /** `asked` by a request, `begun`, `gone` once no query sees anything, `done` once nothing but bytes of old files is left. */
    state: z.enum(["asked", "begun", "gone", "done"]),
    /** The person that a request named, until it is begun. */
    person_id: z.guid().nullable().default(null),
    requested_at: z.string(),
    gone_at: z.string().nullable(),
    done_at: z.string().nullable(),
    /** Salted digests of the ids, so that who asks again with an id is told; of more ids than these the first. */
    digests: z.array(z.string()),
    distinct_ids: z.int(),
    counts: ErasedCounts,
  }),
  key: within("erasures", "erasure#{id}"),
  patterns: {},
});
export type Erasure = z.output<typeof Erasures.schema>;

/** Digests that an item keeps: it holds 400 KB. */
const MOST_DIGESTS = 4_000;

/** Hexadecimal digits of a digest. */
const DIGEST_DIGITS = 32;

const SALT_BYTES = 16;

/** The digests that stay of some ids. */
export const digestsOf = (salt: string, ids: readonly string[]): readonly string[] =>
  ids.slice(0, MOST_DIGESTS).map((id) => hash("sha256", salt + id, "hex").slice(0, DIGEST_DIGITS));

/** What a project's digests are made with; made with the first of them. */
export const erasureSalt = async ({ table, ids }: Pick<Ports, "table" | "ids">, project: number): Promise<string> => {
  const key = keyIn("erasures", "salt", { project });
  const known = await table.get(key, { consistent: true });
  if (typeof known?.salt === "string") return known.salt;
  const salt = Buffer.from(ids.secret(SALT_BYTES)).toString("hex");
  try {
    await table.put({ ...key, entity: "erasure_salt", v: 1, salt }, ABSENT);
    return salt;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return erasureSalt({ table, ids }, project);
  }
};

/** All erasures of a project, oldest first. */
export const erasuresOfProject = async (table: Table, project: number): Promise<readonly Erasure[]> =>
  list(table, Erasures, "key", { project }, { consistent: true });
