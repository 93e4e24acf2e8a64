import * as z from "zod";
import type { Fields } from "../../../lib/event/fields.ts";
import { callProvider, parseAnswer } from "./call.ts";
import { type Connection, type IssueTracker, MOST_FOUND, PathName, pathName, setting } from "./tracker.ts";

const Created = z.object({ key: PathName });
const Found = z.object({ issues: z.array(z.object({ key: PathName, fields: z.object({ summary: z.string() }) })) });

/** Issues of a site of Jira. */
export const jira: IssueTracker = {
  creating: { project_key: true, title: true, description: false },
  naming: { key: pathName },
  idKey: "key",
  searchesRepository: false,
  urls(connection) {
    const site = setting(connection, "site_url").replace(/\/+$/, "");
    return ({ key }: Fields) => `${site}/browse/${key}`;
  },
  async create(connection, { project_key = "", title = "", description = "" }) {
    const fields = {
      project: { key: project_key },
      summary: title,
      issuetype: { name: "Task" },
      ...(description !== "" && { description: textDocument(description) }),
    };
    const { key } = parseAnswer(Created, await call(connection, { method: "POST", path: "/issue", body: { fields } }));
    return { context: { key }, title };
  },
  async search(connection, { text }) {
    const jql = text === "" ? "project is not EMPTY ORDER BY created DESC" : `summary ~ ${quoted(text)} ORDER BY created DESC`;
    const query = new URLSearchParams({ jql, fields: "summary", maxResults: String(MOST_FOUND) });
    const { issues } = parseAnswer(Found, await call(connection, { method: "GET", path: `/search/jql?${query}` }));
    return issues.map(({ key, fields }) => ({ context: { key }, title: fields.summary }));
  },
};

/** Text in Jira's format of documents: a paragraph for each line. */
const textDocument = (text: string): Fields => ({
  type: "doc",
  version: 1,
  content: text.split("\n").map((line) => ({ type: "paragraph", content: line === "" ? [] : [{ type: "text", text: line }] })),
});

/** Text as a string of Jira's query language. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, (character) => `\\${character}`)}"`;

const call = (connection: Connection, { method, path, body }: { method: "GET" | "POST"; path: string; body?: Fields }): Promise<unknown> =>
  callProvider({
    base: connection.base,
    method,
    path: `/ex/jira/${encodeURIComponent(setting(connection, "cloud_id"))}/rest/api/3${path}`,
    headers: { authorization: `Bearer ${setting(connection, "access_token")}` },
    signal: connection.signal,
    ...(body && { body }),
  });
