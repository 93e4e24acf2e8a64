import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { World } from "../../lib/app/world.ts";
import { thrownMessage } from "../../lib/core/thrown-message.ts";
import { DAY_MS } from "../../lib/core/time.ts";
import { type AppliedTree, applyDocument } from "../cli/apply/apply.ts";
import {
  type Credentials,
  credentialsFile,
  keepCredentials,
  readCredentials,
  readKeptCredentials,
  writeCredentials,
} from "./credentials.ts";
import { type DemoTarget, demoCurl, loadDemo } from "./demo/demo.ts";

export interface ProvisionResult {
  readonly credentials: Credentials;
  /** A call that shows real numbers, where there is a demo. */
  readonly firstCall: string | null;
}

/** The demo's memory: the day that its events are counted from, and whether all of it was sent. */
const DemoState = z.object({ anchor: z.number(), loaded: z.boolean() });

/** Its file: what was sent once is not sent again. */
export const demoFile = (dataDir: string): string => join(dataDir, "demo.json");

const readDemoState = (dataDir: string): z.output<typeof DemoState> | undefined => {
  try {
    return DemoState.parse(JSON.parse(readFileSync(demoFile(dataDir), "utf8")));
  } catch {
    return undefined;
  }
};

const writeDemoState = (dataDir: string, state: z.output<typeof DemoState>): void =>
  writeFileSync(demoFile(dataDir), `${JSON.stringify(state)}\n`);

/** The demo organization. A key's value is shown only when it is made, so keys are named after the moment and made again if lost. */
const demoDocument = (label: string): unknown => ({
  organizations: [
    {
      key: "demo",
      name: "Demo",
      members: [
        {
          email: "demo@example.com",
          first_name: "Demo",
          last_name: "Owner",
          level: "owner",
          is_email_verified: true,
          personal_api_keys: [{ label, scopes: ["*"] }],
        },
      ],
      projects: [
        {
          key: "shop",
          name: "Demo shop",
          account_group_type: "company",
          secret_api_keys: [{ label, scopes: ["account:read", "endpoint:read"] }],
        },
      ],
    },
  ],
});

const demoCredentials = (tree: AppliedTree, origin: string): Credentials => {
  const [organization] = tree.organizations;
  const [member] = organization?.members ?? [];
  const [project] = organization?.projects ?? [];
  const personal = member?.personal_api_keys[0]?.value;
  const secret = project?.secret_api_keys[0]?.value;
  return {
    base_url: origin,
    ingest_url: origin,
    ...(organization && { organization_id: organization.id }),
    ...(project && { project_id: project.id, project_token: project.token }),
    ...(secret && { project_secret_api_key: secret }),
    ...(personal && { personal_api_key: personal }),
    ...(member && { user: { id: member.user_id, uuid: member.uuid, email: member.email, distinct_id: member.distinct_id } }),
  };
};

const demoTarget = (credentials: Credentials): DemoTarget | undefined => {
  const { base_url, project_id, project_token, personal_api_key } = credentials;
  if (!project_id || !project_token || !personal_api_key) return undefined;
  return { origin: base_url, projectId: project_id, projectToken: project_token, personalKey: personal_api_key };
};

const ensureDemo = async (dataDir: string, world: World, origin: string): Promise<Credentials> => {
  const known = [readKeptCredentials(dataDir), readCredentials(dataDir)].find((each) => each && demoTarget(each));
  if (known) return { ...known, base_url: origin, ingest_url: origin };
  const label = `local ${new Date(world.clock.now()).toISOString()}`;
  return demoCredentials(await applyDocument(world, demoDocument(label)), origin);
};

/**
 * Writes `credentials.json`, last of all: who waits for it finds everything. Without `empty` the demo organization exists by then and, loaded
 * once, its data.
 */
export const provision = async (
  dataDir: string,
  world: World,
  { origin, empty }: { readonly origin: string; readonly empty: boolean },
): Promise<ProvisionResult> => {
  const credentials = empty ? { base_url: origin, ingest_url: origin } : await ensureDemo(dataDir, world, origin);
  keepCredentials(dataDir, credentials);
  const target = demoTarget(credentials);
  if (target) await loadOnce(dataDir, world, target);
  writeCredentials(dataDir, credentials);
  return { credentials, firstCall: target ? demoCurl(target, credentialsFile(dataDir)) : null };
};

const loadOnce = async (dataDir: string, world: World, target: DemoTarget): Promise<void> => {
  const now = world.clock.now();
  const state = readDemoState(dataDir) ?? { anchor: Math.floor(now / DAY_MS) * DAY_MS, loaded: false };
  if (state.loaded) return;
  // The day is written down before anything is sent: a start that breaks off is completed with the same events.
  writeDemoState(dataDir, state);
  try {
    await loadDemo(world, target, state.anchor, now);
    writeDemoState(dataDir, { ...state, loaded: true });
  } catch (thrown) {
    // The platform is as good without it; the next start tries again.
    world.log.line("warn", "demo.incomplete", { reason: thrownMessage(thrown) });
  }
};
