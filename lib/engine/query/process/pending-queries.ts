import type { Take } from "../../duckdb/duckdb.ts";
import type { NativeRow } from "../../native.ts";
import { type Answer, toError } from "./process-messages.ts";

/** The queries that a process was given and has not ended, by their numbers. */
export interface PendingQueries {
  readonly size: number;
  /** Settles as the query ends; `began` is called when its time begins. */
  add(id: number, take: Take, began: () => void): Promise<void>;
  /** Passes on what the process answers; `enough` is called where no more rows of a query are wanted. */
  hear(answer: Answer, enough: (id: number) => void): void;
  /** Ends all of them by an error, as `NotBegun` what was not begun; what had rows enough ends as it would have. */
  fail(error: Error): void;
}

interface PendingQuery {
  readonly take: Take;
  readonly began: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  hasBegun: boolean;
  /** Set once no more rows are wanted: how the select ends when the process has ended it. */
  outcome: (() => void) | undefined;
}

export const openPendingQueries = (): PendingQueries => {
  const pending = new Map<number, PendingQuery>();

  const settle = (id: number, how: (one: PendingQuery) => void): void => {
    const one = pending.get(id);
    pending.delete(id);
    if (one?.outcome !== undefined) one.outcome();
    else if (one !== undefined) how(one);
  };

  return {
    get size() {
      return pending.size;
    },
    add: (id, take, began) =>
      new Promise((resolve, reject) => pending.set(id, { take, began, resolve, reject, hasBegun: false, outcome: undefined })),
    hear(answer, enough) {
      if (answer.kind === "began") begin(pending.get(answer.id));
      else if (answer.kind === "rows") hand(pending.get(answer.id), answer.rows, () => enough(answer.id));
      else if (answer.kind === "done") settle(answer.id, ({ resolve }) => resolve());
      else settle(answer.id, ({ reject }) => reject(toError(answer.fault)));
    },
    fail(error) {
      for (const id of [...pending.keys()]) settle(id, ({ reject, hasBegun }) => reject(hasBegun ? error : new NotBegun(error)));
    },
  };
};

/** The process went before it began with the query; `cause` says how. */
export class NotBegun extends Error {
  override readonly name = "NotBegun";
  constructor(cause: Error) {
    super("the query was not begun", { cause });
  }
}

const begin = (one: PendingQuery | undefined): void => {
  if (one === undefined) return;
  one.hasBegun = true;
  one.began();
};

const hand = (one: PendingQuery | undefined, rows: NativeRow[], enough: () => void): void => {
  if (one === undefined || one.outcome !== undefined) return;
  one.outcome = takeOutcome(one, rows);
  if (one.outcome !== undefined) enough();
};

const takeOutcome = ({ take, resolve, reject }: PendingQuery, rows: NativeRow[]): (() => void) | undefined => {
  try {
    return take(rows) === "enough" ? resolve : undefined;
  } catch (error) {
    return () => reject(error);
  }
};
