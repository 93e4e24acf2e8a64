import * as z from "zod";
import { callProvider, parseAnswer } from "./call.ts";
import { githubHeaders } from "./github.ts";
import { pathName } from "./tracker.ts";

/** The line of code to look for, and where. */
export interface CodeSearch {
  readonly owner: string;
  readonly repository: string;
  readonly code: string;
  readonly fileName: string;
}

/** One way to reach a provider of code: with the deployment's own token, or with an integration's. */
interface CodeAccess {
  readonly base: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** Finds the page of a file that holds a line of code. Throws `ProviderFailure`. */
export type FindFile = (access: CodeAccess, search: CodeSearch) => Promise<string | undefined>;

/** A line of code without what providers read as operators; what stands in quotes stays. */
const withoutPunctuation = (code: string): string =>
  code
    .split(/("[^"]*"|'[^']*')/)
    .map((part) => (/^["']/.test(part) && part.length > 1 ? part : part.replace(/[^\p{L}\p{N}_\s]/gu, " ")))
    .join("")
    .replace(/\s+/g, " ")
    .trim();

const GithubHits = z.object({ items: z.array(z.object({ html_url: z.string() })) });

/** The first hit of GitHub's code search. */
export const githubFile: FindFile = async ({ base, token, signal }, { owner, repository, code, fileName }) => {
  const text = withoutPunctuation(code);
  if (pathName(owner) === undefined || pathName(repository) === undefined || text === "") return undefined;
  const file = fileName.replace(/["\s]/g, "");
  const query = new URLSearchParams({ q: `${text} repo:${owner}/${repository} filename:${file}` });
  const path = `/search/code?${query}`;
  const { items } = parseAnswer(GithubHits, await callProvider({ base, method: "GET", path, headers: githubHeaders(token), signal }));
  // A token may see other repositories; an address of one is not the caller's to have.
  const beginning = `https://github.com/${owner}/${repository}/blob/`.toLowerCase();
  return items.find(({ html_url }) => html_url.toLowerCase().startsWith(beginning))?.html_url;
};

const GitlabHits = z.array(z.object({ path: z.string(), ref: z.string() }));

/**
 * The first hit of GitLab's search in files whose path has the file's name, of the code as it is or else without punctuation. What GitLab
 * takes for operators it may refuse, and find without them.
 */
export const gitlabFile: FindFile = async (access, search) => {
  const { owner, repository, code } = search;
  // Groups hold groups.
  const isPlace = [...owner.split("/"), repository].every((part) => pathName(part) !== undefined);
  if (!isPlace) return undefined;
  const texts = [...new Set([code, withoutPunctuation(code)])].filter((text) => text !== "");
  const answers = await Promise.allSettled(texts.map((text) => searchGitlab(access, search, text)));
  const [hit] = answers.flatMap((answer) => (answer.status === "fulfilled" && answer.value !== undefined ? [answer.value] : []));
  const [failure] = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  if (hit === undefined && failure !== undefined) throw failure;
  return hit;
};

const searchGitlab = async ({ base, token, signal }: CodeAccess, search: CodeSearch, text: string): Promise<string | undefined> => {
  const { owner, repository, fileName } = search;
  const query = new URLSearchParams({ scope: "blobs", search: text });
  const path = `/api/v4/projects/${encodeURIComponent(`${owner}/${repository}`)}/search?${query}`;
  const headers = { authorization: `Bearer ${token}` };
  const hits = parseAnswer(GitlabHits, await callProvider({ base, method: "GET", path, headers, signal }));
  const hit = hits.find((each) => each.path.includes(fileName));
  return (
    hit && `${base}/${owner}/${repository}/-/blob/${encodeURIComponent(hit.ref)}/${hit.path.split("/").map(encodeURIComponent).join("/")}`
  );
};
