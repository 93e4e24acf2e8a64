import { groups } from "../../functions/index.ts";
import { forEachConcurrent } from "../../lib/core/concurrency.ts";
import type { Step } from "./steps.ts";

const SERVER_ERROR = 500;
const LANES = 4;

/** Paths that no group declares, on each host. */
const NOWHERE = ["/nowhere/", "/nowhere/at/all/"];

/** Pages and files that need no key, with what they are answered when all is well. */
const PAGES = ["/", "/project/1/", "/organization/billing/", "/docs/", "/api/schema/"];

/** Asks for every path that the registry declares, of whatever project and organization come first, and for some that it does not: each host has to hand them to somebody who answers. */
export const everyPath: Step = async (standing, { token, key }) => {
  const fillers: Readonly<Record<string, string>> = { project_id: "@current", organization_id: "@current", token };
  const get = async (host: "ingest" | "management", path: string): Promise<number> => {
    const filled = path.replaceAll(/\{(\w+)\+?\}/g, (_, hole: string) => fillers[hole] ?? "none");
    const headers = { authorization: `Bearer ${key}`, accept: "text/html,application/json" };
    const reply = await fetch(`${standing.url(host)}${filled}`, { headers, redirect: "manual" });
    await reply.body?.cancel();
    if (reply.status >= SERVER_ERROR) throw new Error(`${filled} was answered ${reply.status}`);
    return reply.status;
  };
  const declared = groups.flatMap(({ gateway, paths }) => paths.map((path) => ({ host: gateway, path })));
  await forEachConcurrent(declared, LANES, async ({ host, path }) => void (await get(host, path)));
  for (const host of ["ingest", "management"] as const)
    for (const path of NOWHERE) {
      const status = await get(host, path);
      if (status !== 404) throw new Error(`${path} was answered ${status} on the ${host} host`);
    }
  for (const path of PAGES) {
    const status = await get("management", path);
    if (status !== 200) throw new Error(`${path} was answered ${status}`);
  }
  return `${declared.length} declared paths were answered, and others were not found`;
};
