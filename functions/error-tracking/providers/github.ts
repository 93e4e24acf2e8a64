import * as z from "zod";
import type { Fields } from "../../../lib/event/fields.ts";
import { callProvider, parseAnswer } from "./call.ts";
import { type Connection, type IssueTracker, MOST_FOUND, pathName, positive, setting, type TrackedIssue } from "./tracker.ts";

const Issue = z.object({ number: z.int().positive(), title: z.string() });
const Found = z.object({ items: z.array(z.looseObject({ ...Issue.shape, repository_url: z.string() })) });

export const githubHeaders = (token: string) => ({
  accept: "application/vnd.github+json",
  authorization: `Bearer ${token}`,
  "x-github-api-version": "2022-11-28",
});

/** Issues of an organization's repositories. */
export const github: IssueTracker = {
  creating: { repository: true, title: true, body: false },
  naming: { repository: pathName, number: (value) => positive(value, { text: true }) },
  idKey: "number",
  searchesRepository: true,
  urls(connection) {
    const organization = encodeURIComponent(setting(connection, "organization"));
    return ({ repository, number }: Fields) => `https://github.com/${organization}/${repository}/issues/${number}`;
  },
  async create(connection, { repository = "", title = "", body = "" }) {
    const path = `/repos/${repositoryPath(connection, repository)}/issues`;
    const made = parseAnswer(Issue, await call(connection, { method: "POST", path, body: { title, body } }));
    return trackedIn(repository)(made);
  },
  async search(connection, { text, repository }) {
    const place = repositoryPath(connection, repository);
    const query = new URLSearchParams({ q: `${text} repo:${place} is:issue`.trim(), per_page: String(MOST_FOUND) });
    const { items } = parseAnswer(Found, await call(connection, { method: "GET", path: `/search/issues?${query}` }));
    // The text may name other repositories, which the token may see and the caller did not ask for.
    const end = `/repos/${place}`.toLowerCase();
    return items.filter((item) => item.repository_url.toLowerCase().endsWith(end)).map(trackedIn(repository));
  },
};

const repositoryPath = (connection: Connection, repository: string): string =>
  `${encodeURIComponent(setting(connection, "organization"))}/${encodeURIComponent(repository)}`;

const trackedIn =
  (repository: string) =>
  ({ number, title }: z.output<typeof Issue>): TrackedIssue => ({ context: { repository, number }, title });

const call = (connection: Connection, asked: { method: "GET" | "POST"; path: string; body?: Fields }): Promise<unknown> =>
  callProvider({
    ...asked,
    base: connection.base,
    signal: connection.signal,
    headers: githubHeaders(setting(connection, "access_token")),
  });
