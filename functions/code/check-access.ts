import * as z from "zod";
import { personalKey } from "../../lib/auth/access.ts";
import { currentOrganization } from "../../lib/auth/current.ts";
import { Organizations } from "../../lib/entities/organizations/organizations.ts";
import { bare } from "../../lib/http/errors.ts";
import { json } from "../../lib/http/reply.ts";
import { route } from "../../lib/http/route.ts";
import { grantState } from "../../lib/ledger/credit/credits.ts";
import { readStanding, type Standing } from "../../lib/ledger/standing.ts";
import type { Table } from "../../lib/ports/table.ts";
import { get } from "../../lib/table/store.ts";

const DesktopAccess = z.object({ has_access: z.boolean(), has_loops_access: z.boolean() }).meta({ id: "LegacyDesktopAccessResponse" });

const Unavailable = z
  .object({ error: z.string(), detail: z.string(), type: z.literal("server_error"), code: z.literal("desktop_access_unavailable") })
  .meta({ id: "TaskRunErrorResponse" });

/** Any key that is valid. */
const anyKey = personalKey();

export const checkAccess = route({
  method: "GET",
  path: "/api/code/invites/check-access/",
  summary: "Whether the caller may use the desktop application",
  description: "Decided by the setting of the caller's organization, and where that says nothing by what it pays with.",
  tags: ["code"],
  access: anyKey,
  throttle: "check",
  reply: json(200, DesktopAccess),
  errors: [{ status: 503, description: "It cannot be decided now. Try again.", body: Unavailable }],
  async handle({ grant, world }) {
    try {
      const organization = await currentOrganization(world.table, grant.caller);
      const has_access = organization !== undefined && (await mayUse(world.table, organization, world.clock.now()));
      return { has_access, has_loops_access: false };
    } catch (cause) {
      world.log.line("error", "desktop_access_undecided", { reason: cause instanceof Error ? cause.message : "unknown" });
      throw unavailable();
    }
  },
});

const mayUse = async (table: Table, id: string, now: number): Promise<boolean> => {
  const organization = await get(table, Organizations, { id });
  if (organization === undefined || organization.state === "removed") return false;
  switch (organization.desktop_access) {
    case "on":
      return true;
    case "off":
      return false;
    case "auto":
      return paysByUse(await readStanding(table, id), now);
  }
};

/** Whoever uses up what was given or bought before has no use of it that could be billed. */
const paysByUse = ({ account, grants }: Standing, now: number): boolean =>
  account.startup_label === null &&
  !grants.some((grant) => grant.source === "purchase" && ["pending", "active"].includes(grantState(grant, now)));

const unavailable = () =>
  bare(503, {
    error: "Access to the desktop application cannot be decided now.",
    detail: "What the organization pays with could not be read. Try again in a moment.",
    type: "server_error",
    code: "desktop_access_unavailable",
  } satisfies z.input<typeof Unavailable>);
