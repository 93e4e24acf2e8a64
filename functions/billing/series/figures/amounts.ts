import { isUsageType } from "../../../../lib/usage/identifiers.ts";
import type { RollUp } from "../../../../lib/usage/roll-ups.ts";
import type { Run } from "../../../../lib/usage/runs.ts";
import { isIn, type Scope } from "../scope.ts";

/** What a series is made of: all runs of one project and type. A type is one of the identifiers, or in spend a product with a fee. */
export interface Amounts {
  /** Null for what belongs to no project. */
  readonly project: number | null;
  readonly type: string;
  readonly runs: readonly Run[];
}

/** Amounts with those of one project and type in one. */
export const joinedAmounts = (amounts: Iterable<Amounts>): readonly Amounts[] => {
  const found = new Map<string, Amounts>();
  for (const { project, type, runs } of amounts) {
    const name = `${project} ${type}`;
    found.set(name, { project, type, runs: [...(found.get(name)?.runs ?? []), ...runs] });
  }
  return [...found.values()];
};

/** The counts of an organization's roll-ups by project and type. Imports are counted, but not here: they cost nothing. */
export const countedAmounts = (rollUps: readonly RollUp[], scope: Scope, types: ReadonlySet<string>): readonly Amounts[] => {
  const found = new Map<number, Map<string, Run[]>>();
  for (const { names, projects } of rollUps) {
    const wanted = names.map((name) => (isUsageType(name) && types.has(name) ? name : undefined));
    for (const [id, { runs }] of Object.entries(projects)) {
      const project = Number(id);
      if (!isIn(scope, project)) continue;
      const byType = found.get(project) ?? new Map<string, Run[]>();
      found.set(project, byType);
      for (const run of runs) {
        const type = wanted[run[0]];
        if (type === undefined) continue;
        const known = byType.get(type);
        if (known === undefined) byType.set(type, [run]);
        else known.push(run);
      }
    }
  }
  return [...found].flatMap(([project, byType]) => [...byType].map(([type, runs]) => ({ project, type, runs })));
};
