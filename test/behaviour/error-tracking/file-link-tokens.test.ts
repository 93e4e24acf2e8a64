import { expect, it } from "vitest";
import { errorTracking } from "../../../functions/error-tracking/routes.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { aFakeProvider } from "../../support/fakes/provider.ts";
import { heldSecrets } from "../../support/held-secrets.ts";
import { aHousehold, apiWorld, ask } from "../../support/worlds/api-world.ts";

let base = "";
const provider = aFakeProvider((at) => {
  base = at;
});

const QUERY = new URLSearchParams({ owner: "acme", repository: "shop", code_sample: "total = 1", file_name: "views.py" });
const HIT = "https://github.com/acme/shop/blob/0123abc/views.py";

/** A project of a deployment whose own token lies where the test keeps it. */
const aProject = async (text: string | Error) => {
  const held = heldSecrets(text);
  const { world } = apiWorld({ config: readConfig((field) => (field === "githubApi" ? base : undefined), held.secretOf) });
  const { key, project } = await aHousehold(world, 1);
  const path = `/api/projects/${project.id}/error_tracking/git-provider-file-links/resolve_github/?${QUERY}`;
  return { ...held, resolve: async () => (await ask(errorTracking, world, "GET", path, { key })).json };
};

it("a token that is refused is read anew, and the one that took its place is used though the former was given up", async () => {
  const { store, time, resolve } = await aProject("of-old");
  provider().answers(({ headers }) =>
    headers.authorization === "Bearer new" ? { status: 200, body: { items: [{ html_url: HIT }] } } : { status: 401, body: {} },
  );
  for (const _ of [1, 2, 3, 4]) expect(await resolve()).toEqual({ found: false });
  expect(provider().requests).toHaveLength(3);
  store.text = "new";
  time.now += 10_000;
  expect(await resolve()).toEqual({ found: true, url: HIT });
});

it("while the deployment's token cannot be read nobody is asked with it, and a line names where it lies", async () => {
  const { resolve, log } = await aProject(new Error("AccessDeniedException"));
  expect(await resolve()).toEqual({ found: false });
  expect(provider().requests).toEqual([]);
  expect(log.lines).toMatchObject([{ event: "secret.unread", fields: { name: "/platform/githubToken" } }]);
});
