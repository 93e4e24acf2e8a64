import { existsSync } from "node:fs";
import type { Project } from "../../lib/projects/projects.ts";
import { readCredentials } from "../local/credentials.ts";
import { oldestMessage } from "../local/stores/copies.ts";
import { readRunning } from "../local/stores/lock.ts";
import { queueFile } from "../local/stores/queue-and-objects.ts";
import { UserError } from "../local/user-error.ts";
import { everyOrganization } from "./backup/every-organization.ts";
import { chosenProject } from "./chosen-project.ts";
import type { Answer, CommandArguments, Place, RunAt } from "./command.ts";
import { type Addresses, checkAddresses } from "./doctor/addresses.ts";
import { type Finding, fail, reason, warn } from "./doctor/finding.ts";
import { checkLanes, checkProject, checkVersions, type OldestMessage } from "./doctor/inside.ts";
import { checkJourney, checkKey } from "./doctor/journey.ts";
import { checkStage, stageAddresses } from "./doctor/stage.ts";
import { localTarget } from "./local-target.ts";
import { callersStacks } from "./stack-account.ts";
import { stackTarget } from "./stack-target.ts";
import type { Target } from "./target.ts";

/** What is checked: a data directory or a stage. */
interface Subject {
  /** Where it answers; `absent` is the finding where it does not. */
  readonly addresses: Addresses | undefined;
  readonly absent: Finding;
  readonly key: string | undefined;
  readonly ownProject: number | undefined;
  readonly oldest: OldestMessage;
  /** Opens its stores; undefined where there are none. */
  readonly target: (() => Promise<Target>) | undefined;
  /** Checks that only a subject of its kind has. */
  readonly ownChecks: () => Promise<readonly Finding[]>;
}

export const doctor: RunAt = async (place, given) => {
  const subject = place.kind === "stack" ? await stageSubject(place.stack, given) : directorySubject(place.dataDir, given);
  const findings: Finding[] = subject.addresses === undefined ? [subject.absent] : [...(await checkAddresses(subject.addresses))];
  findings.push(...(await attempt("account", subject.ownChecks)));
  if (subject.target !== undefined) {
    try {
      const target = await subject.target();
      try {
        findings.push(...(await checkInside(target, subject, place, given)));
      } finally {
        await target.close();
      }
    } catch (thrown) {
      findings.push(fail("stores", reason(thrown), "repair that first: nothing inside could be looked at"));
    }
  }
  return answerOf(findings);
};

const directorySubject = (dataDir: string, { flags }: CommandArguments): Subject => {
  const running = readRunning(dataDir);
  const credentials = readCredentials(dataDir);
  const isThere = existsSync(dataDir);
  return {
    addresses: running && { ingestUrl: running.ingest_url, baseUrl: running.base_url },
    absent: fail(
      "platform",
      isThere ? `no platform runs on ${dataDir}` : `there is no data directory ${dataDir}`,
      "start it: npm start, or name another directory with --data-dir",
    ),
    key: flags.key ?? credentials?.personal_api_key,
    ownProject: credentials?.project_id,
    oldest: (queue) => oldestMessage(queueFile(dataDir), queue),
    target: isThere ? () => localTarget(dataDir, { makes: false }) : undefined,
    ownChecks: async () => [],
  };
};

const stageSubject = async (stack: string, { flags }: CommandArguments): Promise<Subject> => {
  const account = callersStacks();
  const addresses = await stageAddresses(account, stack).catch((thrown: unknown) => {
    throw new UserError(`The account cannot be asked: ${reason(thrown)}. Are there credentials and a region for it?`);
  });
  return {
    addresses,
    absent: fail("stack", `there is no stage ${stack} in this account and region`, "name another one, or set AWS_REGION and AWS_PROFILE"),
    key: flags.key,
    ownProject: undefined,
    // A metric tells it, which is paid by the request: the alarms watch it, and how late events are is told by project.
    oldest: () => undefined,
    target: addresses && (() => stackTarget(stack)),
    ownChecks: addresses === undefined ? async () => [] : () => checkStage(account, stack),
  };
};

const attempt = async (check: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> => {
  try {
    return await look();
  } catch (thrown) {
    return [fail(check, `could not be looked at: ${reason(thrown)}`, "repair that first")];
  }
};

const checkInside = async (
  target: Target,
  subject: Subject,
  place: Place,
  { flags, switches }: CommandArguments,
): Promise<readonly Finding[]> => {
  const { world } = target;
  const only = flags.project === undefined ? undefined : await chosenProject(world.table, flags.project);
  const findings: Finding[] = [];
  if (place.kind === "directory") findings.push(checkVersions(world));
  findings.push(...(await attempt("lanes", () => checkLanes(world, subject.oldest))));
  const project = only ?? (await ownProject(target, subject));
  if (subject.addresses !== undefined)
    findings.push(...(await checkOutside(subject.addresses, project, subject.key, { isSent: switches.has("send") })));
  if (only !== undefined) return [...findings, ...(await attempt(`project ${only.id}`, () => checkProject(world, only)))];
  for await (const { projects } of everyOrganization(world.table))
    for (const each of projects)
      if (each.state === "active") findings.push(...(await attempt(`project ${each.id}`, () => checkProject(world, each))));
  return findings;
};

const ownProject = async ({ world }: Target, { ownProject: id }: Subject): Promise<Project | undefined> =>
  id === undefined ? undefined : chosenProject(world.table, String(id)).catch(() => undefined);

const checkOutside = async (
  addresses: Addresses,
  project: Project | undefined,
  key: string | undefined,
  { isSent }: { readonly isSent: boolean },
): Promise<readonly Finding[]> => {
  if (project === undefined || key === undefined) {
    const lacks = key === undefined ? "no key was given" : "no project was named";
    const advice = "give both: --project 1 --key phx_…";
    if (isSent) return [fail("event", `${lacks}, so no event was sent`, advice)];
    return [warn("key", `${lacks}, so none was tried`, advice)];
  }
  const tried = await checkKey(addresses, project.id, key);
  return isSent ? [tried, await checkJourney(addresses, project, key)] : [tried];
};

const answerOf = (findings: readonly Finding[]): Answer => {
  const isWell = findings.every(({ status }) => status !== "fail");
  return {
    json: { ok: isWell, findings },
    lines: findings.map(({ check, status, says, advice }) =>
      oneLine(`${status.padEnd(4)}  ${check}: ${says}${advice === undefined ? "" : ` → ${advice}`}`),
    ),
    ...(!isWell && { exitCode: 1 as const }),
  };
};

/** Errors of jobs may hold anything. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, " ");
