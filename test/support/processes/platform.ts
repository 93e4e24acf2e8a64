import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { type AppliedTree, applyDocument } from "../../../infra/cli/apply/apply.ts";
import { type Platform, startPlatform } from "../../../infra/local/platform.ts";
import { openData } from "../../../infra/local/stores/open-data.ts";
import type { World } from "../../../lib/app/world.ts";

/**
 * The platform that the test files of this process share: a start costs seconds of processor, and tenants keep them apart, as they do
 * those who share one that is deployed.
 */
let shared: Promise<Platform> | undefined;
const environment = { ...process.env };

const sharedPlatform = async (): Promise<Platform> => {
  const folder = await mkdtemp(join(tmpdir(), "platform-"));
  // No file is the last one by its own knowledge: whoever ends the process ends the platform. An ordinary exit would wait for its threads.
  process.once("SIGTERM", () => {
    rmSync(folder, { recursive: true, force: true });
    process.kill(process.pid, "SIGKILL");
  });
  return startPlatform({ port: 0, host: "127.0.0.1", dataDir: folder, empty: true });
};

/** A running platform for tests whose tenants are their own, in this process; other files have used it. */
export const aPlatform = (): (() => Platform) => {
  let platform: Platform | undefined;
  beforeAll(async () => {
    const own = Object.keys(process.env).find((name) => process.env[name] !== environment[name] && !name.startsWith("VITEST"));
    if (own !== undefined) throw new Error(`a platform that ${own} is set for is not to be shared: take itsOwnPlatform`);
    shared ??= sharedPlatform();
    platform = await shared;
  });
  return () => started(platform);
};

/** An empty platform for the tests of one file, which stop it, look into its files and log, or give it an environment or a clock. */
export const itsOwnPlatform = (): (() => Platform) => {
  let folder = "";
  let platform: Platform | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "platform-"));
    platform = await startPlatform({ port: 0, host: "127.0.0.1", dataDir: folder, empty: true });
  });
  afterAll(async () => {
    await platform?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return () => started(platform);
};

const started = (platform: Platform | undefined): Platform => {
  if (!platform) throw new Error("the platform has not started");
  return platform;
};

let made = 0;

/** A name that nothing else in this process has. */
const fresh = (kind: string): string => {
  made += 1;
  return `${kind}-${made}`;
};

/** What the first of a list is known to be. */
const only = <T>(all: readonly T[]): T => {
  const [one] = all;
  if (one === undefined) throw new Error("the document made nothing");
  return one;
};

export interface ATenant {
  readonly organizationId: string;
  readonly projectId: number;
  readonly projectToken: string;
  readonly secretToken: string;
  readonly personalKey: string;
  readonly secretKey: string;
  readonly userId: number;
}

export interface TenantOptions {
  readonly scopes?: readonly string[];
  readonly level?: "owner" | "admin" | "member";
  readonly timezone?: string;
  readonly secretScopes?: readonly string[];
}

/** An organization with one member, one project, a personal and a secret key; everything is its own. */
export const aTenant = async (world: Pick<World, "table" | "clock" | "ids" | "tokenKeys">, options: TenantOptions = {}): Promise<ATenant> =>
  tenantOf(await applyDocument(world, tenantDocument(fresh("organization"), options)));

/** Such a tenant of the platform of a data directory, which may be running in a process of its own. */
export const tenantIn = async (dataDir: string, key: string): Promise<ATenant> => {
  const { world, close } = await openData(dataDir);
  try {
    return tenantOf(await applyDocument(world, tenantDocument(key)));
  } finally {
    await close();
  }
};

/** The document of such a tenant; `key` names the organization. */
export const tenantDocument = (key: string, { scopes = ["*"], level = "owner", timezone = "UTC", secretScopes }: TenantOptions = {}) => ({
  organizations: [
    {
      key,
      name: key,
      members: [{ email: `${key}@example.test`, first_name: "Ana", level, personal_api_keys: [{ label: "test", scopes }] }],
      projects: [
        {
          key: "web",
          name: "Web",
          timezone,
          secret_api_keys: [{ label: "test", scopes: secretScopes ?? ["account:read", "endpoint:read"] }],
        },
      ],
    },
  ],
});

/** The tenant that an applied document with one of each thing made. */
export const tenantOf = (tree: AppliedTree): ATenant => {
  const organization = only(tree.organizations);
  const member = only(organization.members);
  const project = only(organization.projects);
  return {
    organizationId: organization.id,
    projectId: project.id,
    projectToken: project.token,
    secretToken: project.secret_token ?? "",
    personalKey: only(member.personal_api_keys).value ?? "",
    secretKey: only(project.secret_api_keys).value ?? "",
    userId: member.user_id,
  };
};

/** What `look` returns once it does not throw: for conditions that come true by themselves. Fails with its last error. */
export const eventually = async <T>(
  look: () => Promise<T> | T,
  { budgetMs = 120_000, everyMs = 25 }: { readonly budgetMs?: number; readonly everyMs?: number } = {},
): Promise<T> => {
  const deadline = performance.now() + budgetMs;
  for (;;) {
    try {
      return await look();
    } catch (thrown) {
      if (performance.now() > deadline) throw thrown;
    }
    await pause(everyMs);
  }
};
