import type { World } from "../../../lib/app/world.ts";
import { readCustomerState } from "../../../lib/billing/customer.ts";
import { firstDayPriced, productLabels, projectSpend, readPricedPeriods } from "../../../lib/billing/spend.ts";
import { isUsageType, USAGE_TYPES } from "../../../lib/usage/identifiers.ts";
import { type RollUp, readRollUps } from "../../../lib/usage/roll-ups.ts";
import { eachCount, type Run } from "../../../lib/usage/runs.ts";
import { type Amounts, COUNTS, type DayMoney, MONEY, type Unit } from "./lines.ts";
import { type SeriesRequest, tooSlow } from "./query.ts";
import { isIn, type Scope } from "./scope.ts";

/** Usage or spend of an organization, of the projects that the caller may see. */
export interface Figures<Amount> {
  readonly unit: Unit<Amount>;
  readonly customer: string;
  readonly amounts: readonly Amounts<Amount>[];
  /** Projects with any use in the range, ascending. Computed only where they are sent. */
  projects(): readonly number[];
  /** Whether any of the projects ever used anything, in whatever range. */
  isUsed(): Promise<boolean>;
  /** Names of what is sold, by its type. */
  readonly products: ReadonlyMap<string, string>;
}

type Parts = Pick<World, "table" | "objects" | "clock" | "config">;

/** Counts of an organization in a range of days. Throws 400 where that takes longer than a query may. */
export const readUsed = (parts: Parts, organization: string, request: SeriesRequest, scope: Scope): Promise<Figures<Run>> =>
  inTime(parts, used(parts, organization, request, scope));

const used = async (parts: Parts, organization: string, request: SeriesRequest, scope: Scope): Promise<Figures<Run>> => {
  const [{ account }, rollUps] = await Promise.all([
    readCustomerState(parts.table, organization),
    readRollUps(parts, organization, request.from, request.to),
  ]);
  const projects = () => usingIn(projectCounts(rollUps, scope, new Set(USAGE_TYPES)), request);
  const amounts = projectCounts(rollUps, scope, request.types);
  return {
    unit: COUNTS,
    customer: account.customer_id,
    amounts,
    projects,
    isUsed: everUsed(parts, organization, scope, projects),
    products: new Map(),
  };
};

/** Money that an organization spent in a range of days. Throws 400 where that takes longer than a query may. */
export const readSpent = (parts: Parts, organization: string, request: SeriesRequest, scope: Scope): Promise<Figures<DayMoney>> =>
  inTime(parts, spent(parts, organization, request, scope));

const spent = async (parts: Parts, organization: string, request: SeriesRequest, scope: Scope): Promise<Figures<DayMoney>> => {
  const customer = await readCustomerState(parts.table, organization);
  const [periods, rollUps] = await Promise.all([
    readPricedPeriods(parts.table, customer, request, parts.clock.now()),
    readRollUps(parts, organization, firstDayPriced(customer, request.from), request.to),
  ]);
  const all = projectCounts(rollUps, "all", new Set(USAGE_TYPES)).map((counts) => upTo(counts, request.to));
  const counted = all.map(({ project, type, amounts }) => ({ project, type, runs: amounts }));
  const everyType = request.types.size === USAGE_TYPES.length;
  const isWanted = (type: string): boolean => (isUsageType(type) ? request.types.has(type) : everyType);
  const isShown = (project: number | null): boolean => (project === null ? scope === "all" : isIn(scope, project));
  const amounts = joined(
    projectSpend(periods, counted, isWanted)
      .filter(({ project }) => isShown(project))
      .map(({ project, type, days }) => ({ project, type, amounts: [...days].map(([day, micro]) => ({ day, micro })) })),
  );
  const projects = () =>
    usingIn(
      all.filter(({ project }) => isIn(scope, project)),
      request,
    );
  const isUsed = everUsed(parts, organization, scope, projects);
  return { unit: MONEY, customer: customer.account.customer_id, amounts, projects, isUsed, products: productLabels(periods) };
};

/** Looks beyond the range only where nothing was used in it. */
const everUsed = (parts: Parts, organization: string, scope: Scope, projects: () => readonly number[]) => async (): Promise<boolean> =>
  projects().length > 0 || (await usingProjects(parts, organization, scope)).length > 0;

/** The projects that ever used something that is billed, of those in the scope, ascending. */
export const usingProjects = async (parts: Parts, organization: string, scope: Scope): Promise<readonly number[]> => {
  const rollUps = await readRollUps(parts, organization, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  const projects = projectCounts(rollUps, scope, new Set(USAGE_TYPES)).map(({ project }) => project);
  return [...new Set(projects)].sort((one, other) => one - other);
};

/** Amounts with those of one project and type in one. */
const joined = <A>(amounts: readonly Amounts<A>[]): readonly Amounts<A>[] =>
  [...Map.groupBy(amounts, ({ project, type }) => `${project} ${type}`).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, amounts: [first, ...more].flatMap((each) => each.amounts) }],
  );

type Counts = Amounts<Run> & { readonly project: number };

/** The counts of an organization's roll-ups by project and type. Imports are counted, but not here: they cost nothing. */
const projectCounts = (rollUps: readonly RollUp[], scope: Scope, types: ReadonlySet<string>): readonly Counts[] => {
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
  return [...found].flatMap(([project, byType]) => [...byType].map(([type, amounts]) => ({ project, type, amounts })));
};

/** Counts after the range decide nothing in it. */
const upTo = ({ amounts, ...rest }: Counts, to: number): Counts => ({ ...rest, amounts: amounts.filter(([, first]) => first <= to) });

const usingIn = (counts: readonly Counts[], { from, to }: SeriesRequest): readonly number[] => {
  const using = new Set<number>();
  for (const { project, amounts } of counts) {
    if (using.has(project)) continue;
    for (const run of amounts)
      eachCount(run, from, to, (_, count) => {
        if (count > 0) using.add(project);
      });
  }
  return [...using].sort((one, other) => one - other);
};

/** Figures may take as long as a query. Throws 400 for those that take longer. */
const inTime = async <T>({ config }: Pick<World, "config">, work: Promise<T>): Promise<T> => {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(tooSlow()), config.queryTimeMs);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
    // Nobody hears of work that fails later.
    work.catch(() => undefined);
  }
};
