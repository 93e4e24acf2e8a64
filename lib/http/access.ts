import type { ReadBeside } from "../table/read-beside.ts";
import type { HttpRequest } from "./request.ts";

/** Whom an operation admits, as plain data: read by the API's description and by the tests made from the registry. */
export interface AccessRule {
  readonly level: "anyone" | "user" | "project" | "organization" | "account";
  /** All of them are needed. */
  readonly scopes: readonly string[];
  /** Whether a project's secret key may call it too. */
  readonly secretKeys: boolean;
  /** The part of an organization's billing that the caller must have access to, where that decides. */
  readonly billing?: "full" | "usage" | "member";
  /** Whether a project's older secret token may call it, without any scope. */
  readonly teamTokens?: boolean;
  /** The least level of a membership; a member's where it is left out. */
  readonly role?: "member" | "admin" | "owner";
}

/** How often an operation may be called with one key, by one person at some rates, or from one address where no key is needed. */
export type Rate =
  | "default"
  | "shared"
  | "query"
  | "run"
  | "materialised-run"
  | "account"
  | "spend"
  | "export"
  | "check"
  | "suggestion"
  | "live"
  | "none";

/** A request on its way to a route. */
export interface Call {
  readonly request: HttpRequest;
  /** Decoded values of the path's holes. */
  readonly params: Readonly<Record<string, string>>;
  /** Decoded query; the last value of a name. */
  readonly query: Readonly<Record<string, string>>;
  /** A text field of the body, found without reading the rest; undefined where there is none. Only for finding a key in it. */
  peek(name: string): string | undefined;
}

/** A caller who is known, before anything is decided about what it may do. */
export interface Identity<Grant> {
  /**
   * Throws 403 or 404, in the order of the contract; never looks at the method's body. The request may be counted at the rate side
   * by side with the last look-up; one that is not admitted counts for nothing. What the handler needs besides is read meanwhile.
   */
  admit(rate: Rate, beside?: ReadBeside): Promise<Admission<Grant>>;
}

export interface Admission<Grant> {
  /** The caller and the place it acts in, for the handler. */
  readonly grant: Grant;
  /** For the log line. */
  readonly project?: number;
  /** Done when the request is counted; throws 429. */
  throttle(): Promise<void>;
}

/** A value that admits a request and says in whose name it runs; `W` is what it looks that up in. Made by `lib/auth`. */
export interface Access<W, Grant> {
  readonly rule: AccessRule;
  /** Throws 401. */
  identify(call: Call, world: W): Promise<Identity<Grant>>;
}
