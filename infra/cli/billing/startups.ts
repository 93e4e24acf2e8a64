import { answerApplication, readStartupStanding } from "../../../lib/billing/startups.ts";
import { UserError } from "../../local/user-error.ts";
import { type CommandArguments, columns, type Run } from "../command.ts";
import type { Target } from "../target.ts";
import { chosenOrganization, readOrganizations } from "./chosen-organizations.ts";

/** The applications for the startup program that wait for an answer. */
export const listStartups: Run = async ({ world }, given) => {
  const [word = "list"] = given.words;
  if (word !== "list") throw new UserError(`Startup applications are listed, approved or refused, not "${word}".`);
  const found = await readOrganizations(world, given, async ({ id, name, state }) => {
    const { startup_application: application } = await readStartupStanding(world.table, id);
    return application === null || state === "removed"
      ? []
      : [{ organization: id, name, at: application.at, application: JSON.parse(application.fields) }];
  });
  const waiting = found.flat();
  const rows = waiting.map(({ organization, name, at, application }) => [organization, name, at, JSON.stringify(application)]);
  const lines = rows.length === 0 ? ["No application waits."] : columns(["organization", "name", "since", "application"], rows);
  return { json: waiting, lines };
};

/** The label of whoever names no program. */
const DEFAULT_LABEL = "startup";

const MAX_CHARACTERS = 60;

export const approveStartup: Run = async (target, given) => {
  const { id, name } = await chosenOrganization(target.world, given);
  const label = given.flags.label ?? namedProgram((await readStartupStanding(target.world.table, id)).startup_application?.fields);
  if (label.trim() === "" || label.length > MAX_CHARACTERS) throw new UserError(`A label has 1 to ${MAX_CHARACTERS} characters.`);
  await answered(target, { id, name }, label);
  return { json: { organization: id, label }, lines: [`${name} is in the startup program, as ${label}.`] };
};

export const refuseStartup = async (target: Target, given: CommandArguments) => {
  const { id, name } = await chosenOrganization(target.world, given);
  await answered(target, { id, name }, null);
  return { json: { organization: id, label: null }, lines: [`Refused the application of ${name}, which can apply again.`] };
};

const answered = async (
  { world }: Target,
  { id, name }: { readonly id: string; readonly name: string },
  label: string | null,
): Promise<void> => {
  if (!(await answerApplication(world, id, label))) throw new UserError(`No application of ${name} waits.`);
};

/** The program that an application is for, where it says so. */
const namedProgram = (fields: string | undefined): string => {
  const { program }: { readonly program?: unknown } = fields === undefined ? {} : JSON.parse(fields);
  return typeof program === "string" && program !== "" ? program : DEFAULT_LABEL;
};
