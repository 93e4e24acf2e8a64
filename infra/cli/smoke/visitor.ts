import { type AppliedTree, applyDocument } from "../apply/apply.ts";
import { revokeKeys } from "../keys-command.ts";
import type { Target } from "../target.ts";
import type { Site } from "./question.ts";

/** The project of all runs, and a key of this one. */
const document = (run: string) => ({
  organizations: [
    {
      key: "smoke",
      name: "Smoke",
      members: [
        {
          email: "smoke@example.com",
          level: "owner",
          personal_api_keys: [{ label: `smoke ${run}`, scopes: ["query:read", "endpoint:read", "endpoint:write"] }],
        },
      ],
      projects: [{ key: "smoke", name: "Smoke", timezone: "UTC" }],
    },
  ],
});

/** Works with a project of the questions' own, and a key that is revoked afterwards. */
export const asVisitor = async <T>(
  target: Target,
  run: string,
  work: (visitor: Pick<Site, "project" | "token" | "key" | "run">) => Promise<T>,
): Promise<T> => {
  const { project, token, key } = madeBy(await applyDocument(target.world, document(run)));
  target.forgetKeys();
  try {
    return await work({ project, token, key: key.value, run });
  } finally {
    await revokeKeys(target, { words: [key.id], flags: {}, switches: new Set() });
  }
};

const madeBy = ({ organizations: [organization] }: AppliedTree) => {
  const project = organization?.projects[0];
  const key = organization?.members[0]?.personal_api_keys[0];
  if (project === undefined || key === undefined || key.value === null) throw new Error("a key of this run was there already");
  return { project: project.id, token: project.token, key: { id: key.id, value: key.value } };
};
