import { requireVersion } from "../../lib/endpoints/load.ts";
import { SavedEndpoints } from "../../lib/endpoints/saved-endpoints.ts";
import { type BothForms, bothForms, type Side } from "../../lib/endpoints/trial-runs.ts";
import { ApiError } from "../../lib/http/errors.ts";
import * as store from "../../lib/table/store.ts";
import { UserError } from "../local/user-error.ts";
import { chosenProject } from "./chosen-project.ts";
import { columns, type Run } from "./command.ts";
import { whenFree } from "./when-free.ts";

/** Rows that are printed of each form; `--json` has all of them. */
const PRINTED_ROWS = 20;

export const testEndpoint: Run = async ({ world }, { words: [name = ""], flags }) => {
  const project = await chosenProject(world.table, flags.project);
  const endpoint = await store.get(world.table, SavedEndpoints, { project: project.id, name }, { consistent: true });
  if (endpoint === undefined) throw new UserError(`The project has no endpoint "${name}".`);
  try {
    const variables = variablesIn(flags.variables);
    const version = await requireVersion(world.table, endpoint, readVersion(flags.version) ?? endpoint.current_version);
    const both = await whenFree(() => bothForms(world, project, version, variables));
    return { json: { endpoint: name, version: version.version, ...both }, lines: comparisonLines(both) };
  } catch (thrown) {
    if (thrown instanceof ApiError) throw new UserError(refusalText(thrown));
    throw thrown;
  }
};

const readVersion = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new UserError(`--version must be a number from 1, not "${text}".`);
  return number;
};

const variablesIn = (text = "{}"): Readonly<Record<string, unknown>> => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // Told below, as whatever else is no object.
  }
  throw new UserError(`--variables must be a JSON object such as '{"event_name": "$pageview"}', not ${text}`);
};

/** What the interface would say, without its envelope. */
const refusalText = ({ status, body }: ApiError): string => {
  const { detail, error } = Object(body) as { readonly detail?: string; readonly error?: string };
  return error ?? detail ?? `Refused with ${status}.`;
};

const comparisonLines = ({ live, materialised, table }: BothForms): readonly string[] => {
  const isSame = JSON.stringify(live.rows) === JSON.stringify(materialised.rows);
  const made = table === null ? "" : table.made_ms === null ? " (the version's own)" : ` (made for this in ${table.made_ms} ms)`;
  return [
    ...columns(
      ["", "rows", "ms", "bytes read"],
      [
        ["live", ...figures(live)],
        ["materialised", ...figures(materialised)],
      ],
    ),
    ...(table === null ? [] : [`The table has ${table.bytes} bytes${made}.`]),
    ...errorLines("live", live),
    ...errorLines("materialised", materialised),
    ...(live.error === null && materialised.error === null ? [isSame ? "The rows are the same." : "The rows differ."] : []),
    "",
    ...columns(["live", "materialised"], pairs(live, materialised)),
  ];
};

const figures = ({ rows, ms, bytes }: Side): readonly string[] => [String(rows.length), String(ms), String(bytes)];

const errorLines = (name: string, { error }: Side): readonly string[] => (error === null ? [] : [`${name}: ${error}`]);

const pairs = (live: Side, materialised: Side): readonly (readonly string[])[] =>
  Array.from({ length: Math.min(PRINTED_ROWS, Math.max(live.rows.length, materialised.rows.length)) }, (_, index) =>
    [live, materialised].map(({ rows }) => (index < rows.length ? JSON.stringify(rows[index]) : "")),
  );
