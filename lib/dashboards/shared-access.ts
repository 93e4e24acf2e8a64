import { anyAddress } from "../auth/address-access.ts";
import type { Access, Call } from "../http/access.ts";
import { standardError } from "../http/errors.ts";
import type { Ports } from "../ports/ports.ts";
import { findSharedDashboard, type SharedDashboard } from "./shared-links.ts";

/** Headers of whatever lies under a public link: its address is the secret that opens it, so it stays where it was opened. */
export const SHARED_HEADERS = {
  "cache-control": "private, no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
} as const;

/** 404 for whatever a public link does not open, whether it never was or is no more. */
export const notShared = () => standardError(404, "invalid_request", "not_found", "Not found.", { headers: SHARED_HEADERS });

/**
 * Whoever has the address of a public link, for paths with `{token}`. Counted by address before anything is looked up, so that
 * addresses which are no link's cost as much as those that are. Throws 429 and 404.
 */
export const sharedLink: Access<Ports, SharedDashboard> = Object.freeze({
  rule: anyAddress.rule,
  async identify(call: Call, world: Ports) {
    const identity = await anyAddress.identify(call, world);
    return {
      async admit(rate) {
        await (await identity.admit(rate)).throttle();
        const shared = await findSharedDashboard(world.table, call.params.token ?? "");
        if (shared === undefined) throw notShared();
        return { grant: shared, project: shared.project.id, throttle: async () => undefined };
      },
    };
  },
} satisfies Access<Ports, SharedDashboard>);
