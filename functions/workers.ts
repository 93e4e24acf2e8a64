import type { Consumer } from "../lib/lambda/consumer.ts";
import type { Invocable } from "../lib/lambda/invocable.ts";
import type { Schedule } from "../lib/lambda/schedule.ts";
import { canary } from "./canary/schedule.ts";
import { closing } from "./closing/schedule.ts";
import { ingestHistorical, ingestLive } from "./ingest/consumers.ts";
import { jobs } from "./jobs/consumer.ts";
import { notices } from "./notices/schedule.ts";
import { sweeping } from "./sweep/schedule.ts";
import { tables } from "./tables/invocable.ts";

/** The part of the registry that answers no requests: a thread that only works loads none of the routes with their schemas. */
export const consumers: readonly Consumer[] = [ingestLive, ingestHistorical, jobs];

export const schedules: readonly Schedule[] = [sweeping, closing, notices, canary];

export const invocables: readonly Invocable[] = [tables];
