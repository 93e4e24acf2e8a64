import { createHash } from "node:crypto";
import type { Access, Call } from "../http/access.ts";
import type { Ports } from "../ports/ports.ts";
import { countRequest } from "./rates/throttle.ts";
import { visitorAddress } from "./rates/visitor-address.ts";

/** Everybody, without a key; how often is counted by the address that calls. */
export const anyAddress: Access<Ports, undefined> = Object.freeze({
  rule: { level: "anyone", scopes: [], secretKeys: false } as const,
  async identify({ request }: Call, world: Ports) {
    return {
      admit: async (rate) => ({
        grant: undefined,
        throttle: () => countRequest(world, `address#${addressHash(visitorAddress(request.ip))}`, rate),
      }),
    };
  },
} satisfies Access<Ports, undefined>);

/** Whose address it is nobody has to read in the table. */
const addressHash = (ip: string): string => createHash("sha256").update(ip).digest("base64url");
