import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { World } from "../../../lib/app/world.ts";
import { fileRows } from "../../../lib/endpoints/file-rows.ts";
import { type RunProject, type RunRequest, resolveRun } from "../../../lib/endpoints/run-request.ts";
import { type SavedEndpoint, SavedEndpoints } from "../../../lib/endpoints/saved-endpoints.ts";
import { ApiError, invalid, notFound } from "../../../lib/http/errors.ts";
import { rowsFileKey } from "../../../lib/lake/paths.ts";
import { get } from "../../../lib/table/store.ts";
import { logSuccess } from "../execution-log.ts";
import { runInput } from "../input.ts";
import { logFault, runCall } from "../run-call.ts";
import { encodeRows, MEDIA_TYPES, type TableRows } from "./encode-rows.ts";
import { expiresAt, findExport, type KeptExport, keepExport } from "./kept-export.ts";
import type { EndpointExport, ExportBody } from "./wire.ts";

/** Makes a file of all rows of a saved query of SQL. Throws 400, 404 as a run does, and 429 where no slot comes free. */
export const makeExport = async (world: World, project: RunProject, body: ExportBody): Promise<EndpointExport> => {
  const endpoint = await findEndpoint(world, project, body.endpoint);
  const call = runCall(endpoint);
  return logFault(world, call, async () => {
    const request = await resolveRequest(world, project, endpoint, body);
    call.request = request;
    const { result, effort } = await fileRows(world, request);
    const rows = result.rows.map((row): readonly unknown[] => (Array.isArray(row) ? row : [row]));
    const kept = await putFile(world, request, body.format, { columns: result.columns, rows });
    await logSuccess(world, request, { path: "live", result, isKept: false, effort, passedOver: null });
    return kept;
  });
};

/** What is known of an export, with an address of its file that holds for an hour from now on. Throws 404. */
export const showExport = async (world: World, project: RunProject, id: string): Promise<EndpointExport> => {
  const kept = await findExport(world.objects, project.id, id, world.clock.now());
  if (kept === undefined) throw notFound();
  return shown(kept, await world.objects.address(rowsFileKey(project.id, id, kept.format)));
};

const findEndpoint = async (world: World, project: RunProject, name: string): Promise<SavedEndpoint> => {
  const endpoint = await get(world.table, SavedEndpoints, { project: project.id, name }, { consistent: true });
  if (endpoint?.is_active) return endpoint;
  throw notFound();
};

/** A version that is not there is a fault of the body here, and not of the path. */
const resolveRequest = async (world: World, project: RunProject, endpoint: SavedEndpoint, body: ExportBody): Promise<RunRequest> => {
  const { version, variables } = body;
  const input = { ...runInput({ version, variables }, { names: [] }), refresh: "force" as const };
  const request = await resolveRun(world, project, endpoint, input, []).catch((thrown: unknown) => {
    throw thrown instanceof ApiError && thrown.status === 404 ? invalid("version", `The endpoint has no version ${version}.`) : thrown;
  });
  if (request.query.kind === "sql") return request;
  throw invalid("endpoint", "Only rows of SQL become a file: an insight's fit into the answer of a run.");
};

const putFile = async (world: World, request: RunRequest, format: ExportBody["format"], rows: TableRows): Promise<EndpointExport> => {
  const { project, endpoint, version, id, now } = request;
  const folder = await mkdtemp(join(tmpdir(), "rows-"));
  try {
    const path = join(folder, "file");
    await pipeline(Readable.from(encodeRows(format, rows)), createWriteStream(path));
    const { size: bytes } = await stat(path);
    const download = { name: `${endpoint.name}.${format}`, mediaType: MEDIA_TYPES[format] };
    const address = await world.objects.offer(rowsFileKey(project.id, id, format), path, download);
    const created_at = new Date(now).toISOString();
    const kept = { id, endpoint: endpoint.name, version: version.version, format, rows: rows.rows.length, bytes, created_at };
    await keepExport(world.objects, project.id, kept);
    return shown(kept, address);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const shown = (kept: KeptExport, download_url: string): EndpointExport => ({
  ...kept,
  state: "completed",
  expires_at: new Date(expiresAt(kept)).toISOString(),
  download_url,
});
