import type { Area } from "../area.ts";

export const keys: Area = async ({ record }) => {
  for (const kind of ["PersonalApiKey", "ProjectSecretApiKey"] as const) {
    const path = { id: String((await record(`create${kind}`)).id) };
    await record(`list${kind}s`);
    await record(`roll${kind}`, { path });
    await record(`delete${kind}`, { path });
  }
  await record("retrieveCurrentPersonalApiKey");
};
