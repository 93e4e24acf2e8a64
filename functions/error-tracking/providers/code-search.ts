import type { Integration } from "../../../lib/projects/integrations.ts";

/** The line of code to look for, and where. */
export interface CodeSearch {
  readonly owner: string;
  readonly repository: string;
  readonly code: string;
  readonly fileName: string;
}

/** One way to reach a provider of code: with the deployment's own token, or with an integration's. */
export interface CodeAccess {
  readonly base: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** Finds the page of a file that holds a line of code. Throws `ProviderFailure`. */
export type FindFile = (access: CodeAccess, search: CodeSearch) => Promise<string | undefined>;

/** A line of code without what providers read as operators; what stands in quotes stays. */
export const withoutPunctuation = (code: string): string =>
  code
    .split(/("[^"]*"|'[^']*')/)
    .map((part) => (/^["']/.test(part) && part.length > 1 ? part : part.replace(/[^\p{L}\p{N}_\s]/gu, " ")))
    .join("")
    .replace(/\s+/g, " ")
    .trim();

/** The tokens of a project's integrations of a kind. */
export const tokensOf = (integrations: readonly Integration[], kind: Integration["kind"]): readonly string[] =>
  integrations.flatMap((integration) => {
    const token = integration.kind === kind ? integration.config.access_token : undefined;
    return typeof token === "string" && token !== "" ? [token] : [];
  });
