import * as z from "zod";
import type { Fields } from "../../../lib/event/fields.ts";
import { invalid } from "../../../lib/http/errors.ts";

/** How a project is connected to a provider. */
export interface Connection {
  readonly kind: string;
  /** Where the deployment reaches the provider. */
  readonly base: string;
  /** The operator's settings of the integration. */
  readonly config: Fields;
  readonly signal: AbortSignal;
}

/** The keys that name an issue at its provider, and its title. */
export interface TrackedIssue {
  readonly context: Fields;
  readonly title: string;
}

/** Words to search for; `repository` where the provider has several. */
export interface IssueSearch {
  readonly text: string;
  readonly repository: string;
}

/** A provider of issues. What is pure here needs no connection to work. */
export interface IssueTracker {
  /** Keys of the text that creates an issue; each is true where it may not be blank. */
  readonly creating: Readonly<Record<string, boolean>>;
  /** The keys that name an issue, and whether a value of each is such a name; other keys are dropped. */
  readonly naming: Readonly<Record<string, (value: unknown) => string | number | undefined>>;
  /** The key whose value is the issue's own id. */
  readonly idKey: string;
  readonly searchesRepository: boolean;
  /** The addresses of issues by what names them. Throws where a setting that they need is missing, so it is asked before anything is created. */
  urls(connection: Connection): (context: Fields) => string;
  create(connection: Connection, wanted: Readonly<Record<string, string>>): Promise<TrackedIssue>;
  search(connection: Connection, search: IssueSearch): Promise<readonly TrackedIssue[]>;
}

/** Issues that a search shows at most. */
export const MOST_FOUND = 50;

/** A setting of the integration; 400 where the operator gave none. */
export const setting = ({ kind, config }: Connection, name: string): string => {
  const value = config[name];
  if (typeof value === "string" && value !== "") return value;
  throw invalid(null, `The ${kind} integration is not connected: ask whoever runs this platform to give it "${name}".`);
};

const NAME = /^[A-Za-z0-9._-]{1,255}$/;

/** A name that can stand in a path: letters, digits, `.`, `_` and `-`, and not dots alone. */
export const pathName = (value: unknown): string | undefined =>
  typeof value === "string" && NAME.test(value) && !/^\.+$/.test(value) ? value : undefined;

/** The same of what a provider answers. */
export const PathName = z.string().refine((name) => pathName(name) !== undefined);

const DIGITS = /^\d{1,10}$/;

/** A number from 1 on; with `text` also as digits. */
export const positive = (value: unknown, { text = false } = {}): number | undefined => {
  const number = text && typeof value === "string" && DIGITS.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : undefined;
};
