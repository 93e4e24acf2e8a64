import { contentHash } from "../../support/symbols/symbol-file.ts";
import { putFile, Started } from "../../support/symbols/upload.ts";
import type { Area } from "../area.ts";
import type { Body } from "../recorder.ts";

const idOf = (body: Body): string => String(body.id);
const results = (body: Body): readonly Body[] => (Array.isArray(body.results) ? body.results : Array.isArray(body) ? body : []);

const idWhere = (body: Body, holds: (each: Body) => boolean): string => {
  const found = results(body).find(holds);
  if (found === undefined) throw new Error(`nothing of these: ${JSON.stringify(body)}`);
  return idOf(found);
};

const CODE = { owner: "acme", repository: "shop", code_sample: "return sum(prices)", file_name: "app/cart.py" };

export const errorTracking: Area = async (recorder) => {
  await releases(recorder);
  await settings(recorder);
  for (const kind of ["SeverityRule", "GroupingRule", "AssignmentRule"] as const) await rules(kind, recorder);
  await symbolSets(recorder);
  await issues(recorder);
  await alerts(recorder);
};

type Calls = Parameters<Area>[0];

const releases = async ({ record, call }: Calls): Promise<void> => {
  const path = { id: idOf(await record("createErrorTrackingRelease")) };
  await record("listErrorTrackingReleases", { query: { limit: 10 } });
  await record("retrieveErrorTrackingRelease", { path });
  await record("retrieveErrorTrackingReleaseByHash", { path: { hash_id: "8f14e45f" } });
  await record("updateErrorTrackingRelease", { path });
  await record("replaceErrorTrackingRelease", { path });
  const spare = await call("createErrorTrackingRelease", { body: { version: "0.9.0", project: "shop", hash_id: "c4ca4238" } });
  await record("deleteErrorTrackingRelease", { path: { id: idOf(spare) } });
};

const settings = async ({ record }: Calls): Promise<void> => {
  await record("updateErrorTrackingSettings");
  await record("retrieveErrorTrackingSettings");
  await record("updateErrorTrackingSpikeDetectionConfig");
  await record("getErrorTrackingSpikeDetectionConfig");
  await record("listErrorTrackingSpikeEvents");
};

const rules = async (kind: "SeverityRule" | "GroupingRule" | "AssignmentRule", { record, call }: Calls): Promise<void> => {
  const first = idOf(await record(`createErrorTracking${kind}`));
  const second = idOf(await call(`createErrorTracking${kind}`));
  await record(`listErrorTracking${kind}s`);
  const path = { id: first };
  await record(`tryErrorTracking${kind}`);
  await record(`retrieveErrorTracking${kind}`, { path });
  await record(`updateErrorTracking${kind}`, { path });
  if (kind === "SeverityRule") await record("replaceErrorTrackingSeverityRule", { path });
  await record(`reorderErrorTracking${kind}s`, { body: { orders: { [first]: 1, [second]: 2 } } });
  await record(`deleteErrorTracking${kind}`, { path: { id: second } });
};

const alerts = async ({ record, call }: Calls): Promise<void> => {
  const path = { id: idOf(await record("createErrorTrackingAlertRule")) };
  await record("listErrorTrackingAlertRules");
  await record("retrieveErrorTrackingAlertRule", { path });
  await record("updateErrorTrackingAlertRule", { path });
  const letter = { name: "Spikes", trigger: "issue_spiking", channels: [{ type: "email", user_id: 1 }] };
  const spare = { id: idOf(await call("createErrorTrackingAlertRule", { body: letter })) };
  await record("testErrorTrackingAlertRule", { path: spare });
  await record("deleteErrorTrackingAlertRule", { path: spare });
};

const CHUNK = "0197c7f2-6f0e-7c1e-9a8f-5d1b8f6f9e11";
const SOURCE_MAP = Buffer.from('{"version":3,"sources":["src/cart.ts"],"names":[],"mappings":"AAAA"}');

const symbolSets = async ({ record }: Calls): Promise<void> => {
  const content_hash = contentHash(SOURCE_MAP).slice(0, 16);
  const body = { symbol_sets: [{ chunk_id: CHUNK, release_id: null, content_hash, content_length: SOURCE_MAP.length }] };
  await record("bulkCheckUploadErrorTrackingSymbolSets", { body });
  const { id_map } = Started.parse(await record("bulkStartUploadErrorTrackingSymbolSets", { body }));
  const address = Object.values(id_map)[0];
  if (address === undefined) throw new Error("nothing is to be uploaded");
  const path = { id: address.symbol_set_id };
  await putFile(address, SOURCE_MAP);
  await record("bulkFinishUploadErrorTrackingSymbolSets", { body: { content_hashes: { [path.id]: content_hash } } });
  await record("listErrorTrackingSymbolSets", { query: { limit: 10 } });
  await record("retrieveErrorTrackingSymbolSet", { path });
  await record("getErrorTrackingSymbolSetDownload", { path });
  const older = await record("startUploadErrorTrackingSymbolSets", { query: { chunk_id: "checkout" } });
  await putFile(Started.shape.id_map.valueType.parse(older), SOURCE_MAP);
  await record("finishUploadErrorTrackingSymbolSet", { path: { id: String(older.symbol_set_id) }, body: { content_hash } });
  await record("deleteErrorTrackingSymbolSet", { path: { id: String(older.symbol_set_id) } });
};

const issues = async ({ record, call }: Calls): Promise<void> => {
  const listed = await record("listErrorTrackingIssues", { query: { limit: 10 } });
  const named = (name: string): string => idWhere(listed, (each) => each.name === name);
  const id = named("ValueError");
  const path = { id };
  await record("retrieveErrorTrackingIssue", { path });
  await record("updateErrorTrackingIssue", { path });
  await record("replaceErrorTrackingIssue", { path });
  await record("listErrorTrackingIssueValues", { query: { key: "name", value: "out" } });
  await record("checkErrorTrackingIssuesExist");
  await record("assignErrorTrackingIssue", { path });
  await record("changeErrorTrackingIssues", { subject: id });
  await record("getErrorTrackingIssueGrouping", { path });
  const fingerprints = await record("listErrorTrackingFingerprints", { query: { issue_id: id } });
  const fingerprint = { id: idWhere(fingerprints, () => true) };
  await record("retrieveErrorTrackingFingerprint", { path: fingerprint });
  await record("explainErrorTrackingFingerprint", { path: fingerprint });
  await record("resolveErrorTrackingFingerprint", { query: { fingerprint: String(results(fingerprints)[0]?.fingerprint) } });
  const frames = await record("listErrorTrackingStackFrames", { query: { limit: 1 } });
  await record("retrieveErrorTrackingStackFrame", { path: { id: idWhere(frames, () => true) } });
  await record("batchGetErrorTrackingStackFrames", { body: { raw_ids: [String(results(frames)[0]?.raw_id)] } });
  const merged = named("TimeoutError");
  await record("mergeErrorTrackingIssue", { path, body: { ids: [merged] } });
  await record("listMergedErrorTrackingIssues", { path });
  await record("unmergeErrorTrackingIssue", { path, body: { ids: [merged] } });
  await call("mergeErrorTrackingIssue", { path, body: { ids: [merged] } });
  const both = results(await call("listErrorTrackingFingerprints", { query: { issue_id: id } }));
  const other = both.find((each) => each.id !== fingerprint.id);
  await record("splitErrorTrackingIssue", {
    path,
    body: { fingerprints: [{ fingerprint: String(other?.fingerprint), name: "The warehouse is silent", description: null }] },
  });
  await record("listErrorTrackingIssueActivity", { path, query: { limit: 2 } });
  await record("listErrorTrackingActivity", { query: { limit: 2 } });
  await external(id, { record, call });
  await record("updateErrorTrackingFingerprint", { path: fingerprint });
};

const external = async (issue: string, { record }: Calls): Promise<void> => {
  await record("searchErrorTrackingExternalIssues", { query: { integration_id: 1, search: "checkout", repository: "shop" } });
  const path = { id: idOf(await record("createErrorTrackingExternalReference", { subject: issue })) };
  await record("linkErrorTrackingExternalIssue", { subject: issue });
  await record("listErrorTrackingExternalReferences", { query: { limit: 10 } });
  await record("retrieveErrorTrackingExternalReference", { path });
  await record("updateErrorTrackingExternalReference", { path });
  await record("resolveGithubFileLink", { query: CODE });
  await record("resolveGitlabFileLink", { query: CODE });
};
