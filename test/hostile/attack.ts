import type { ATenant } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";

/** One request of an attack; whatever it is answered, it is no fault of the service. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** How many of it are sent at once; one where it does not say. */
  readonly copies?: number;
  /** Its last byte is kept back for as long as the server may take to lose patience, and then its connection ends. */
  readonly isHeldBack?: true;
}

/** What somebody sends to stop the platform, one request after another. */
export interface Attack {
  readonly name: string;
  readonly shots: readonly Shot[];
  /** The engine may work on it for as long as it works on any query. */
  readonly isLong?: true;
  /** A refusal above 499 that is the right answer to it. */
  readonly refusal?: number;
}

export const JSON_TYPE = "application/json";
export const FORM = "application/x-www-form-urlencoded";
export const MULTIPART = "multipart/form-data; boundary=b";
export const MIB = 1024 * 1024;

export const list = (count: number, part: (at: number) => string, between = ", "): string =>
  Array.from({ length: count }, (_, at) => part(at)).join(between);

/** What somebody with the keys of a tenant sends; `round` makes the names of what they save their own. */
export interface Attacker {
  readonly tenant: ATenant;
  readonly round: string;
  /** The path of something in their project. */
  at(path: string): string;
  /** A request to the API with their personal key. */
  sent(path: string, body: string | Uint8Array, type?: string, method?: string): Shot;
  /** A request that names no key but where its body does. */
  nobodys(path: string, body: string | Uint8Array, type?: string): Shot;
  /** A request to capture. */
  captured(body: string | Uint8Array, type?: string): Shot;
  /** A query that is saved and then run. */
  asked(query: unknown, run?: unknown): readonly Shot[];
  sql(text: string): readonly Shot[];
}

export const attackerOf = (tenant: ATenant, round: string): Attacker => {
  const at = (path: string): string => `/api/projects/${tenant.projectId}/${path}`;
  const nobodys: Attacker["nobodys"] = (path, body, type = JSON_TYPE) => ({
    method: "POST",
    path,
    headers: { "content-type": type },
    body,
  });
  const sent: Attacker["sent"] = (path, body, type = JSON_TYPE, method = "POST") => ({
    method,
    path,
    headers: { authorization: `Bearer ${tenant.personalKey}`, "content-type": type },
    body,
  });
  let names = 0;
  const asked: Attacker["asked"] = (query, run = {}) => {
    names += 1;
    const name = `attack-${round}-${names}`;
    const path = at("endpoints/");
    return [sent(path, JSON.stringify({ name, query })), sent(`${path}${name}/run/`, JSON.stringify({ refresh: "force", ...Object(run) }))];
  };
  return {
    tenant,
    round,
    at,
    sent,
    nobodys,
    captured: (body, type) => nobodys("/batch/", body, type),
    asked,
    sql: (text) => asked(sqlQuery(text)),
  };
};
