import type { InsightQuery } from "../../../lib/insight/query.ts";

/**
 * What is run on our engine and on ClickHouse, over the project of `../project.ts`. Names are unique over all parts: golden rows
 * and exceptions go by them.
 */
export type Case = QueryCase | InsightCase;

/** Where a case comes from: the contract's tables, the grammar's generator, the dialect's public documentation, an insight. */
export type Part = Case["part"];

interface Options {
  /** Kebab case. */
  readonly name: string;
  /** IANA name of the project's time zone; UTC by default. */
  readonly timezone?: string;
  /** ISO 8601 time of the run; noon of 30 June 2026, UTC, by default. */
  readonly now?: string;
  /** Both engines are to refuse it. */
  readonly refused?: true;
}

/** A HogQL query. Without a LIMIT of its own it returns 100 rows, as a run does. */
export interface QueryCase extends Options {
  readonly part: "contract" | "generated" | "documented";
  readonly query: string;
  /** By code_name. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** What `{name}` stands for. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** What `{filters}` stands for. */
  readonly filters?: unknown;
  /** The query orders its rows totally, so their order is compared too. */
  readonly ordered?: true;
}

/** An insight as its JSON; its rows are compared in order. */
export interface InsightCase extends Options {
  readonly part: "trends" | "retention";
  readonly insight: Readonly<Record<string, unknown>> & { readonly kind: InsightQuery["kind"] };
  /** First day of a week: 0 is Sunday (the default), 1 is Monday. */
  readonly weekStart?: 0 | 1;
  /** 10,000 by default, as a run has it. */
  readonly breakdownLimit?: number;
  /** Values by breakdown property that events are narrowed to. */
  readonly breakdownValues?: Readonly<Record<string, string>>;
}
