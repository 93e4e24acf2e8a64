import * as z from "zod";
import type { Fields } from "../../../lib/event/fields.ts";
import { callProvider, parseAnswer } from "./call.ts";
import { type Connection, type IssueTracker, MOST_FOUND, positive, setting, type TrackedIssue } from "./tracker.ts";

const Issue = z.object({ iid: z.int().positive(), title: z.string() });

/** Issues of one project of GitLab. */
export const gitlab: IssueTracker = {
  creating: { title: true, body: false },
  naming: { issue_id: (value) => positive(value) },
  idKey: "issue_id",
  searchesRepository: false,
  urls(connection) {
    const project = setting(connection, "project").split("/").map(encodeURIComponent).join("/");
    return ({ issue_id }: Fields) => `${connection.base}/${project}/issues/${issue_id}`;
  },
  async create(connection, { title = "", body = "" }) {
    const answer = await call(connection, { method: "POST", query: "", body: { title, description: body } });
    return tracked(parseAnswer(Issue, answer));
  },
  async search(connection, { text }) {
    const query = new URLSearchParams({ scope: "all", per_page: String(MOST_FOUND), ...(text !== "" && { search: text }) });
    const found = parseAnswer(z.array(Issue), await call(connection, { method: "GET", query: `?${query}` }));
    return found.map(tracked);
  },
};

const tracked = ({ iid, title }: z.output<typeof Issue>): TrackedIssue => ({ context: { issue_id: iid }, title });

const call = (
  connection: Connection,
  { method, query, body }: { method: "GET" | "POST"; query: string; body?: Fields },
): Promise<unknown> =>
  callProvider({
    base: connection.base,
    method,
    path: `/api/v4/projects/${encodeURIComponent(setting(connection, "project"))}/issues${query}`,
    headers: { authorization: `Bearer ${setting(connection, "access_token")}` },
    signal: connection.signal,
    ...(body && { body }),
  });
