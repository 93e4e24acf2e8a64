import type { Group } from "../../lib/app/routes.ts";
import { gatewayPaths } from "../constructs/mount.ts";

const REST = "{proxy+}";

const segments = (path: string): readonly string[] => path.split("/").filter((segment) => segment !== "");

const isHole = (segment: string): boolean => segment.startsWith("{");

/** How well a template fits a path: higher for literals that come early; undefined when it does not. */
const rank = (template: readonly string[], path: readonly string[]): number | undefined => {
  const open = template.at(-1) === REST;
  const fixed = open ? template.slice(0, -1) : template;
  if (open ? path.length <= fixed.length : path.length !== fixed.length) return undefined;
  let score = open ? 0 : 1;
  for (const [place, segment] of fixed.entries()) {
    if (!isHole(segment) && segment !== path[place]) return undefined;
    score += (isHole(segment) ? 1 : 2) * 3 ** (fixed.length - place);
  }
  return score;
};

/**
 * Which group a path belongs to, as the two gateways decide it when deployed: the most specific of the paths that are mounted there, for
 * which a part such as `@me` is a hole, so that `%40me` leads to the same group; undefined for what nobody declared. Locally both hosts
 * are one: where both declare the same path, a request for a page belongs to the management host, and every other one to the SDKs.
 */
export const groupOfPath = (groups: readonly Group[]): ((path: string, forPage?: boolean) => Group | undefined) => {
  const declared = groups.flatMap((group) => {
    const host = groups.filter(({ gateway }) => gateway === group.gateway);
    return [...gatewayPaths(group, host)].map((path) => ({ group, template: segments(path) }));
  });
  return (path, forPage = false) => {
    const asked = segments(path);
    const host: Group["gateway"] = forPage ? "management" : "ingest";
    let best: { readonly group: Group; readonly score: number } | undefined;
    for (const { group, template } of declared) {
      const score = rank(template, asked);
      if (score === undefined || (best !== undefined && score < best.score)) continue;
      if (score !== best?.score || (best.group.gateway !== host && group.gateway === host)) best = { group, score };
    }
    return best?.group;
  };
};
