import { NEWEST_GROUPING } from "../event/grouping-versions.ts";
import { newSecret, newValue } from "../keys/credential.ts";
import { puttingToken } from "../keys/project-tokens.ts";
import { TeamSecretTokens } from "../keys/team-secret-tokens.ts";
import { initialHead } from "../lake/head.ts";
import type { Clock, Ids } from "../ports/system.ts";
import type { Write } from "../ports/table.ts";
import { putting } from "../table/store.ts";
import { ABSENT } from "../table/transact.ts";
import { type Project, Projects } from "./projects.ts";

export interface NewProject {
  readonly project: Project;
  /** Shown once; only its digest is stored. */
  readonly secretToken: string;
  /** Go into one transaction: the project, its token, its secret token and the head of its lake. */
  readonly writes: readonly Write[];
}

/** A project with this id, not yet written. The id comes from the sequence `project`. */
export const newProject = (
  { ids, clock }: { readonly ids: Ids; readonly clock: Clock },
  wanted: Pick<Project, "id" | "organization_id" | "name"> &
    Partial<Pick<Project, "timezone" | "account_group_type" | "autocapture_exceptions" | "is_demo" | "erased_ids" | "retention_months">>,
): NewProject => {
  const now = new Date(clock.now()).toISOString();
  const token = newValue("project", ids);
  const secret = newSecret("secret", ids);
  const { id, organization_id } = wanted;
  const project: Project = {
    timezone: "UTC",
    account_group_type: null,
    is_demo: false,
    autocapture_exceptions: true,
    erased_ids: "refuse",
    retention_months: null,
    grouping_version: NEWEST_GROUPING,
    ...wanted,
    uuid: ids.uuid(),
    api_token: token,
    secret_token_mask: secret.mask_value,
    state: "active",
    created_at: now,
    updated_at: now,
  };
  const writes: readonly Write[] = [
    putting(Projects, project, ABSENT),
    puttingToken(token, {
      project_id: id,
      organization_id,
      state: "active",
      autocapture_exceptions: project.autocapture_exceptions,
    }),
    putting(TeamSecretTokens, { hash: secret.hash, project_id: id, organization_id, created_at: now }),
    { kind: "put", item: initialHead(id, clock.now()), when: ABSENT },
  ];
  return { project, secretToken: secret.value, writes };
};
