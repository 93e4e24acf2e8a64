import * as z from "zod";
import { callProvider } from "./call.ts";
import { type FindFile, withoutPunctuation } from "./code-search.ts";
import { githubHeaders } from "./github.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import { pathName } from "./tracker.ts";

const Found = z.object({ items: z.array(z.object({ html_url: z.string() })) });

/** The first hit of GitHub's code search. */
export const githubFile: FindFile = async ({ base, token, signal }, { owner, repository, code, fileName }) => {
  const text = withoutPunctuation(code);
  if (pathName(owner) === undefined || pathName(repository) === undefined || text === "") return undefined;
  const file = fileName.replace(/["\s]/g, "");
  const query = new URLSearchParams({ q: `${text} repo:${owner}/${repository} filename:${file}` });
  const path = `/search/code?${query}`;
  const { items } = parsedAnswer(Found, await callProvider({ base, method: "GET", path, headers: githubHeaders(token), signal }));
  // A token may see other repositories; an address of one is not the caller's to have.
  const beginning = `https://github.com/${owner}/${repository}/blob/`.toLowerCase();
  return items.find(({ html_url }) => html_url.toLowerCase().startsWith(beginning))?.html_url;
};
