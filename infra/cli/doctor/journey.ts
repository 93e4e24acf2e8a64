import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Project } from "../../../lib/projects/projects.ts";
import { batchOf, call, event, runQuery, sendEvents } from "../smoke/calls.ts";
import type { Site } from "../smoke/question.ts";
import type { Addresses } from "./addresses.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";

/** Whether a key opens a project. */
export const checkKey = async ({ baseUrl }: Addresses, project: number, key: string): Promise<Finding> => {
  try {
    const path = `/api/projects/${project}/health/`;
    const { status } = await call({ baseUrl, key }, "GET", path);
    if (status === 200) return ok("key", `the key reads project ${project}`);
    if (status === 401)
      return fail("key", "the key is not known", "it was revoked or is another platform's: `admin keys list` shows which there are");
    if (status === 403)
      return warn(
        "key",
        `the key is known and may not read the health of project ${project}`,
        "give it the scope project:read, or use another one",
      );
    return fail("key", `a request with the key is answered ${status}`, "infra/runbook.md (management-errors)");
  } catch (thrown) {
    return fail("key", `the key could not be tried: ${reason(thrown)}`, "see what is said of the api");
  }
};

/** An event may take ten seconds on a stage; this is for one that has just begun to work. */
const SEEN_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 500;

/** Sends an event into a project, where it stays, and waits until a query sees it. */
export const checkJourney = async (at: Addresses, { id, api_token: token }: Project, key: string): Promise<Finding> => {
  const site: Site = { ...at, project: id, token, key, run: randomUUID(), place: "deployed" };
  try {
    const began = performance.now();
    const seconds = (): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
    const taken = await sendEvents(site, batchOf(site, [event(site, "doctor", Date.now())]));
    if (taken !== "200")
      return fail(
        "event",
        `capture answers an event of project ${id} with ${taken}`,
        "401: the project's token is not known there; 503: the queue takes nothing, see infra/runbook.md (ingest-errors)",
      );
    const query = `SELECT count() FROM events WHERE event = 'smoke_doctor' AND distinct_id = 'smoke-${site.run}'`;
    for (;;) {
      const { status, text } = await runQuery(site, query);
      if (status === 200 && text.includes('"results":[[1]]'))
        return ok("event", `an event was seen by a query after ${seconds()}; it stays in project ${id}`);
      if (status === 403)
        return warn("event", `an event was sent and stays in project ${id}; the key may not query it`, "give the key the scope query:read");
      if (status >= 400)
        return fail("event", `a query is answered ${status}: ${text.slice(0, MOST_SHOWN)}`, "infra/runbook.md (management-errors)");
      if (performance.now() - began > SEEN_WITHIN_MS)
        return fail(
          "event",
          `an event was taken, and no query sees it after ${seconds()}`,
          "what was accepted is kept: infra/runbook.md says where to look (live-late)",
        );
      await pause(LOOK_AGAIN_MS);
    }
  } catch (thrown) {
    return fail("event", `no event could be followed: ${reason(thrown)}`, "see what is said of capture and the api");
  }
};

const MOST_SHOWN = 200;
