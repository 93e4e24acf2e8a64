import { writtenVersion } from "../../core/formats.ts";
import { pack } from "../../core/pack.ts";
import { HOUR_MS } from "../../core/time.ts";
import { CATALOGUE_FORMAT } from "../../lake/catalogue.ts";
import { headKey, NOT_REMOVED } from "../../lake/head.ts";
import { lakePk, laterKeys, retiredSk } from "../../lake/paths.ts";
import type { Policy } from "../../lake/policy.ts";
import { PUBLISH_WITHIN_MS, type Publication, publicationItem, readPublication } from "../../lake/published.ts";
import { type Condition, ConditionFailed, Conflict, type Write } from "../../ports/table.ts";
import type { PublishParts } from "../tables/tables.ts";
import type { NextPublication } from "./publications.ts";

/** Tries of one commit; each is a round trip, so a transaction under way at the pointer has ended by then. */
const TRIES = 8;

/**
 * Makes the pointer name what was written, if it still names what was found and the head was read a short while ago, and marks what it
 * replaced for deletion. Every answer may be lost, so any failure is resolved by reading the pointer.
 */
export const commitPublication = async (
  parts: PublishParts,
  policy: Policy,
  project: number,
  next: NextPublication & { readonly state: string },
  before: Publication | undefined,
  readAt: number,
): Promise<"published" | "lost" | "removed"> => {
  const publication: Publication = { ...next.publication, state: next.state };
  const writes = commitWrites(parts, policy, project, publication, next.replaced, before);
  for (let attempt = 1; ; attempt += 1) {
    if (parts.clock.now() - readAt > PUBLISH_WITHIN_MS) return "lost";
    try {
      await parts.table.transact(writes);
      return "published";
    } catch (error) {
      const current = await readPublication(parts.table, project, publication.table);
      if (current?.metadata === publication.metadata) return "published";
      if (current?.metadata !== before?.metadata) return "lost";
      if (error instanceof ConditionFailed) return "removed";
      if (!(error instanceof Conflict) || attempt === TRIES) throw error;
    }
  }
};

const commitWrites = (
  parts: PublishParts,
  policy: Policy,
  project: number,
  publication: Publication,
  replaced: readonly string[],
  before: Publication | undefined,
): readonly Write[] => {
  const unmoved: Condition = before ? { kind: "equals", attribute: "metadata", value: before.metadata } : { kind: "absent" };
  const writes: Write[] = [
    { kind: "put", item: publicationItem(project, publication), when: unmoved },
    { kind: "check", key: headKey(project), when: NOT_REMOVED },
  ];
  if (before && replaced.length > 0) {
    const sk = retiredSk(parts.ids.ulid());
    // Named by the snapshots up to the one before.
    const at = before.reads.at(-1) ?? 0;
    const due = laterKeys(project, parts.clock.now() + policy.snapshotStayMs + HOUR_MS, sk);
    writes.push({ kind: "put", item: { pk: lakePk(project), sk, v: writtenVersion(CATALOGUE_FORMAT), at, keys: pack(replaced), ...due } });
  }
  return writes;
};
