import * as z from "zod";
import type { World } from "../../lib/app/world.ts";
import type { OrganizationGrant } from "../../lib/auth/access.ts";
import { readRecipients } from "../../lib/auth/letter-recipients.ts";
import { LEVELS, type Organization } from "../../lib/organizations/organizations.ts";
import type { User } from "../../lib/organizations/users.ts";
import { type Letter, oneLine } from "../../lib/ports/mail.ts";
import { type Condition, ConditionFailed, type Key, type Table } from "../../lib/ports/table.ts";
import { TTL_ATTRIBUTE } from "../../lib/table/layout.ts";
import { keyIn } from "../../lib/table/partitions.ts";

export const AiAccessRequested = z.object({ success: z.literal(true) }).meta({ id: "AiAccessRequested" });

const DAY_S = 86_400;

/**
 * Tells the admins and owners of an organization that a member asks for the AI features: once a day for each member, and what
 * comes oftener is answered alike and not sent. A letter that could not be sent may be asked for again at once.
 */
export const requestAiAccess = async (
  world: Pick<World, "table" | "clock" | "mail">,
  { organization, caller }: OrganizationGrant,
): Promise<z.input<typeof AiAccessRequested>> => {
  const { table, clock, mail } = world;
  const note = keyIn("aiAccessRequests", "request", { organization: organization.id, user: String(caller.user.id) });
  if (!(await recordFirstOfDay(table, note, Math.floor(clock.now() / 1_000)))) return { success: true };
  try {
    // Owners first, who can decide alone.
    const to = await readRecipients(table, organization, ({ level }) => level >= LEVELS.admin);
    if (to.length > 0) await mail.send(requestLetter(organization, caller.user, to));
  } catch (error) {
    await table.remove(note);
    throw error;
  }
  return { success: true };
};

/** Writes the request down unless the member has made one within a day, and tells whether it did. `now` in seconds. */
const recordFirstOfDay = async (table: Table, note: Key, now: number): Promise<boolean> => {
  const isNew: Condition = { kind: "any", of: [{ kind: "absent" }, { kind: "less", attribute: TTL_ATTRIBUTE, value: now }] };
  try {
    await table.put({ ...note, entity: "ai-access-request", v: 1, [TTL_ATTRIBUTE]: now + DAY_S }, isNew);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};

const requestLetter = (organization: Organization, user: User, to: readonly string[]): Letter => {
  const name = oneLine([user.first_name, user.last_name].filter(Boolean).join(" "));
  const who = name === "" ? user.email : `${name} (${user.email})`;
  const what = `the organization ${oneLine(organization.name)}`;
  return {
    to,
    subject: `${name || user.email} asks for the AI features`,
    text:
      `${who}, a member of ${what}, asks you to let its data be processed by AI.\n\n` +
      `To allow it, set is_ai_data_processing_approved to true:\n` +
      `PATCH /api/organizations/${organization.id}/ with {"is_ai_data_processing_approved": true}\n\n` +
      `If you would rather not, there is nothing to do.`,
  };
};
