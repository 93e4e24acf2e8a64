/** Work that a lane has begun: whose it is, and until when it holds its place at most, milliseconds since 1970. */
export interface Running {
  /** Tells it from all other work of the lane. */
  readonly name: string;
  readonly owner: string;
  /** Several owners may be one customer's. */
  readonly group: string;
  /** What all owners had used when its turn came: see `FairSchedule.clock`. */
  readonly tag: number;
  readonly began: number;
  readonly until: number;
}

/**
 * Whose turn it is in a lane, by the time that each owner has used: who took a minute waits until the others who want to work have had a
 * minute each. Start-time fair queueing: the clock is where the last turn began, and who has used less than that is owed nothing.
 */
export interface FairSchedule {
  /** Milliseconds of use, as each owner has had them whose turn came. */
  readonly clock: number;
  /** Of the owners who are ahead of the clock. */
  readonly used: Readonly<Record<string, number>>;
  readonly running: readonly Running[];
  /** Of the two owners whose turns came last, when they did: the later one first. */
  readonly lately: readonly { readonly owner: string; readonly at: number }[];
}

/** How much of a lane runs at once: of all, of one group and of one owner. */
export interface LaneLimits {
  readonly atOnce: number;
  readonly ofGroup: number;
  readonly ofOwner: number;
}

/** Work that waits for its turn. */
export interface Waiting {
  readonly owner: string;
  readonly group: string;
}

export const EMPTY_SCHEDULE: FairSchedule = Object.freeze({
  clock: 0,
  used: Object.freeze({}),
  running: Object.freeze([]),
  lately: Object.freeze([]),
});

/** What an owner has used; nobody is owed for the time in which they wanted nothing. */
export const usedBy = ({ clock, used }: FairSchedule, owner: string): number => Math.max(clock, used[owner] ?? 0);

/** Whether the limits leave a place for this work. */
export const hasPlace = ({ running }: FairSchedule, { owner, group }: Waiting, { atOnce, ofGroup, ofOwner }: LaneLimits): boolean => {
  const count = (isCounted: (one: Running) => boolean): number => running.filter(isCounted).length;
  return running.length < atOnce && count((one) => one.group === group) < ofGroup && count((one) => one.owner === owner) < ofOwner;
};

/** Of the work that waits, in the order in which it came, that of the owner who has used least; undefined where there is no place for any. */
export const nextWaiting = <W extends Waiting>(schedule: FairSchedule, waiting: readonly W[], limits: LaneLimits): W | undefined => {
  let first: W | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const one of waiting) {
    const used = usedBy(schedule, one.owner);
    if (used >= least || !hasPlace(schedule, one, limits)) continue;
    [first, least] = [one, used];
  }
  return first;
};

/** When the turn of another owner came last; undefined where none is known. */
export const lastOfOthers = ({ lately }: FairSchedule, owner: string): number | undefined => lately.find((one) => one.owner !== owner)?.at;

/** The schedule once work has begun under a name of its own. */
export const withBegun = (
  schedule: FairSchedule,
  { owner, group }: Waiting,
  { name, began, until }: Pick<Running, "name" | "began" | "until">,
): FairSchedule => {
  const tag = usedBy(schedule, owner);
  const before = schedule.lately.filter((one) => one.owner !== owner).slice(0, 1);
  return ahead({
    clock: Math.max(schedule.clock, tag),
    used: schedule.used,
    running: [...schedule.running, { name, owner, group, tag, began, until }],
    lately: [{ owner, at: began }, ...before],
  });
};

/** The schedule once work has ended, or its place was lost, which changes nothing any more. */
export const withEnded = (schedule: FairSchedule, name: string, now: number): FairSchedule => {
  const ended = schedule.running.find((one) => one.name === name);
  if (ended === undefined) return schedule;
  return charged({ ...schedule, running: schedule.running.filter((one) => one !== ended) }, ended, now);
};

/** The schedule without the work whose function was ended before it could say so. */
export const withoutLost = (schedule: FairSchedule, now: number): FairSchedule => {
  const lost = schedule.running.filter(({ until }) => until <= now);
  const kept: FairSchedule = { ...schedule, running: schedule.running.filter(({ until }) => until > now) };
  return lost.reduce((left, one) => charged(left, one, one.until), kept);
};

/** Adds what work took to what its owner has used. */
const charged = (schedule: FairSchedule, { owner, tag, began }: Running, ended: number): FairSchedule => {
  const took = Math.max(0, ended - began);
  const used = Math.max(usedBy(schedule, owner), tag + took + Math.max(0, took - IN_ONE_PIECE_MS) / SURCHARGE);
  return ahead({ ...schedule, used: { ...schedule.used, [owner]: used } });
};

/** Work that holds its place for longer than this, which the others cannot have for a moment meanwhile, is charged an eighth of the rest on top. */
const IN_ONE_PIECE_MS = 5_000;
const SURCHARGE = 8;

/** So many owners are remembered: those who used most, whom the others have to be kept from waiting for. */
const MAX_REMEMBERED = 200;

/** Only who is ahead of the clock is remembered. */
const ahead = (schedule: FairSchedule): FairSchedule => {
  const owners = Object.entries(schedule.used).filter(([, used]) => used > schedule.clock);
  const most = owners.length <= MAX_REMEMBERED ? owners : owners.toSorted(([, a], [, b]) => b - a).slice(0, MAX_REMEMBERED);
  return { ...schedule, used: Object.fromEntries(most) };
};
