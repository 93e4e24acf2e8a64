import type { RollUp } from "../../../lib/lake/usage/roll-ups.ts";
import type { Run } from "../../../lib/lake/usage/runs.ts";
import { isUsageType } from "../../../lib/ledger/usage-types.ts";
import { isIn, type Scope } from "./scope.ts";

/** What a series is made of: the runs of one project and type. A type is one of the identifiers, or in spend a product with a fee. */
export interface Amounts {
  /** Null for what belongs to no project. */
  readonly project: number | null;
  readonly type: string;
  readonly runs: readonly Run[];
}

/** The counts of an organization's roll-ups by project and type. Imports are counted, but not here: they cost nothing. */
export const countedAmounts = (rollUps: readonly RollUp[], scope: Scope, types: ReadonlySet<string>): readonly Amounts[] => {
  const found = new Map<string, Run[]>();
  const amounts: Amounts[] = [];
  for (const { names, projects } of rollUps) {
    const wanted = names.map((name) => (isUsageType(name) && types.has(name) ? name : undefined));
    for (const [id, { runs }] of Object.entries(projects)) {
      const project = Number(id);
      if (!isIn(scope, project)) continue;
      for (const run of runs) {
        const type = wanted[run[0]];
        if (type === undefined) continue;
        const key = `${id} ${type}`;
        const known = found.get(key);
        if (known !== undefined) known.push(run);
        else {
          const own = [run];
          found.set(key, own);
          amounts.push({ project, type, runs: own });
        }
      }
    }
  }
  return amounts;
};
