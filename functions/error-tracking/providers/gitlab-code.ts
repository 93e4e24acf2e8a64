import * as z from "zod";
import { callProvider } from "./call.ts";
import { type CodeAccess, type CodeSearch, type FindFile, withoutPunctuation } from "./code-search.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import { pathName } from "./tracker.ts";

const Found = z.array(z.object({ path: z.string(), ref: z.string() }));

/** The first hit of GitLab's search in files whose path has the file's name, of the code as it is or else without punctuation. */
export const gitlabFile: FindFile = async (access, search) => {
  const { owner, repository, code } = search;
  // Groups hold groups.
  const isPlace = [...owner.split("/"), repository].every((part) => pathName(part) !== undefined);
  if (!isPlace) return undefined;
  const texts = [...new Set([code, withoutPunctuation(code)])].filter((text) => text !== "");
  const [asItIs, stripped] = await Promise.all(texts.map((text) => searched(access, search, text)));
  return asItIs ?? stripped;
};

const searched = async ({ base, token, signal }: CodeAccess, search: CodeSearch, text: string): Promise<string | undefined> => {
  const { owner, repository, fileName } = search;
  const query = new URLSearchParams({ scope: "blobs", search: text });
  const path = `/api/v4/projects/${encodeURIComponent(`${owner}/${repository}`)}/search?${query}`;
  const headers = { authorization: `Bearer ${token}` };
  const hits = parsedAnswer(Found, await callProvider({ base, method: "GET", path, headers, signal }));
  const hit = hits.find((each) => each.path.includes(fileName));
  return (
    hit && `${base}/${owner}/${repository}/-/blob/${encodeURIComponent(hit.ref)}/${hit.path.split("/").map(encodeURIComponent).join("/")}`
  );
};
