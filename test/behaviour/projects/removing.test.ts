import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { chosenProject, projectEvenRemoved } from "../../../infra/cli/chosen-project.ts";
import { confirm, terminalAt } from "../../../infra/cli/confirm.ts";
import { removeProject } from "../../../infra/cli/remove-project-command.ts";
import { forgetCallers } from "../../../lib/auth/callers.ts";
import { readHead } from "../../../lib/lake/head.ts";
import { apiClient } from "../../support/api-client.ts";
import { aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();

const remove = (id: string, ...switches: readonly string[]) => {
  const { world } = platform();
  const forgetKeys = () => forgetCallers(world.table);
  return removeProject({ world, forgetKeys, close: async () => undefined }, { words: [id], flags: {}, switches: new Set(switches) });
};

const send = (token: string) =>
  fetch(`${platform().baseUrl}/batch/`, {
    method: "POST",
    body: JSON.stringify({ api_key: token, batch: [{ event: "hello", distinct_id: "ana" }] }),
  });

it("a project that is removed alone is closed to keys, tokens and queries, and its organization goes on", async () => {
  const { world, baseUrl } = platform();
  const tenant = await aTenant(world);
  const api = apiClient(baseUrl, tenant.personalKey);
  const path = `/api/projects/${tenant.projectId}/endpoints/`;
  expect((await api.get(path)).status).toBe(200);
  expect((await send(tenant.projectToken)).status).toBe(200);

  expect((await remove(String(tenant.projectId), "yes")).json).toEqual({ project: tenant.projectId, removed: true });
  expect((await api.get(path)).body).toMatchObject({ code: "not_found", detail: "Project not found." });
  const accounts = "/api/customer_analytics/external/accounts/";
  expect((await apiClient(baseUrl, tenant.secretKey).get(accounts)).status).toBe(401);
  await eventually(async () => expect((await send(tenant.projectToken)).status).toBe(401));
  expect((await readHead(world.table, tenant.projectId)).removedAt).not.toBeNull();
  expect((await api.get(`/api/organizations/${tenant.organizationId}/`)).status).toBe(200);
  await expect(remove(String(tenant.projectId), "yes")).rejects.toThrow(`Project ${tenant.projectId} is removed already.`);
  await expect(chosenProject(world.table, String(tenant.projectId))).rejects.toThrow(`Project ${tenant.projectId} is removed.`);
  expect(await projectEvenRemoved(world.table, String(tenant.projectId))).toMatchObject({ state: "removed" });
});

it("a project is removed only where somebody says so", async () => {
  const tenant = await aTenant(platform().world);
  await expect(remove(String(tenant.projectId))).rejects.toThrow("say --yes");
  await expect(remove("")).rejects.toThrow("Give the project's id: projects remove 7");
  expect((await readHead(platform().world.table, tenant.projectId)).removedAt).toBeNull();

  const aTerminal = () => Object.assign(new PassThrough(), { isTTY: true });
  const answering = (answer: string) => ({ isTerminal: true, ask: async () => answer });
  await expect(confirm("It goes.", new Set(), answering("no"))).rejects.toThrow("Nothing was done.");
  await confirm("It goes.", new Set(), answering(" Yes "));
  // Ctrl-C and Ctrl-D.
  for (const key of ["\u0003", "\u0004"]) {
    const [keyboard, screen] = [aTerminal(), aTerminal()];
    const asked = confirm("It goes.", new Set(), terminalAt(keyboard, screen));
    keyboard.write(key);
    await expect(asked).rejects.toThrow("Nothing was done.");
  }
});
