import * as z from "zod";
import type { Fields } from "../../../lib/event/fields.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { callProvider, ProviderFailure, parseAnswer } from "./call.ts";
import { type Connection, type IssueTracker, MOST_FOUND, PathName, pathName, setting, type TrackedIssue } from "./tracker.ts";

const Issue = z.object({ identifier: PathName, title: z.string() });
const Created = z.object({ issueCreate: z.object({ success: z.literal(true), issue: Issue }) });
const Found = z.object({ found: z.object({ nodes: z.array(Issue) }) });

/** Issues of a workspace of Linear. */
export const linear: IssueTracker = {
  creating: { team_id: true, title: true, description: false },
  naming: { id: pathName },
  idKey: "id",
  searchesRepository: false,
  urls(connection) {
    const workspace = encodeURIComponent(setting(connection, "workspace"));
    return ({ id }: Fields) => `https://linear.app/${workspace}/issue/${id}`;
  },
  async create(connection, { team_id = "", title = "", description = "" }) {
    const teams = await ask(connection, TEAMS, {});
    const known = parseAnswer(Teams, teams).teams.nodes.some(({ id }) => id === team_id);
    if (!known) throw invalid(null, "The team_id is no team of the linear integration.");
    const input = { teamId: team_id, title, description };
    return tracked(parseAnswer(Created, await ask(connection, CREATE, { input })).issueCreate.issue);
  },
  async search(connection, { text }) {
    const answer = text === "" ? await ask(connection, LATEST, {}) : await ask(connection, SEARCH, { text });
    return parseAnswer(Found, answer).found.nodes.map(tracked);
  },
};

const Teams = z.object({ teams: z.object({ nodes: z.array(z.object({ id: z.string() })) }) });

/** Linear's own bound of one page. */
const MOST_TEAMS = 250;

const TEAMS = `query { teams(first: ${MOST_TEAMS}) { nodes { id } } }`;
const CREATE = "mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { identifier title } } }";
const LATEST = `query { found: issues(first: ${MOST_FOUND}) { nodes { identifier title } } }`;
const SEARCH = `query ($text: String!) { found: searchIssues(term: $text, first: ${MOST_FOUND}) { nodes { identifier title } } }`;

const tracked = ({ identifier, title }: z.output<typeof Issue>): TrackedIssue => ({ context: { id: identifier }, title });

const Answer = z.object({ data: z.unknown().optional(), errors: z.array(z.unknown()).optional() });

const ask = async (connection: Connection, query: string, variables: Fields): Promise<unknown> => {
  const { base, signal } = connection;
  const headers = { authorization: `Bearer ${setting(connection, "access_token")}` };
  const answer = await callProvider({ base, method: "POST", path: "/graphql", headers, body: { query, variables }, signal });
  const { data, errors = [] } = parseAnswer(Answer, answer);
  if (errors.length > 0) throw new ProviderFailure("the provider refused the query");
  return data;
};
