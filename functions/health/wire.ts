import * as z from "zod";
import { PROPERTY_TYPES } from "../../lib/lake/property-types.ts";
import { QUEUES } from "../../lib/ports/queues.ts";

export const STATUSES = ["ok", "behind", "failing"] as const;
export type Status = (typeof STATUSES)[number];

/** A queue of the stage and its dead letters, in messages. */
export const Lane = z
  .object({ name: z.enum(QUEUES), waiting: z.int(), in_flight: z.int(), dead_letters: z.int() })
  .meta({ id: "HealthLane" });
export type Lane = z.input<typeof Lane>;

/** How soon events of a project are stored, and what compaction has left to do. */
export const Storage = z
  .object({
    newest_stored_at: z.string().nullable(),
    delay_seconds: z.int().nullable(),
    segments_waiting: z.int(),
    deltas_waiting: z.int(),
    oldest_waiting_at: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: "HealthStorage" });
export type Storage = z.input<typeof Storage>;

const JOB_KINDS = ["compact", "fold", "usage", "audit", "recount", "publish", "remove-rows", "remove"] as const;

/** A job of a project that failed and has not succeeded since. */
export const FailingJob = z
  .object({
    kind: z.enum(JOB_KINDS),
    partition: z.string().nullable(),
    attempts: z.int(),
    since: z.string(),
    last_attempt_at: z.string(),
    next_attempt_at: z.string(),
    advice: z.string(),
  })
  .meta({ id: "HealthJob" });
export type FailingJob = z.input<typeof FailingJob>;

/** A property with values that do not fit its type. */
export const Misfit = z
  .object({
    property: z.string(),
    owner: z.enum(["event", "person", "group"]),
    group_type_index: z.int().nullable(),
    type: z.enum(PROPERTY_TYPES),
    values: z.int(),
  })
  .meta({ id: "HealthMisfit" });
export type Misfit = z.input<typeof Misfit>;

export const Health = z
  .object({
    status: z.enum(STATUSES),
    summary: z.string(),
    lanes: z.array(Lane),
    storage: Storage,
    jobs: z.array(FailingJob),
    misfits: z.array(Misfit),
  })
  .meta({ id: "ProjectHealth" });
export type Health = z.input<typeof Health>;

export const RedriveRequest = z.object({ lane: z.enum(QUEUES) }).meta({ id: "RedriveRequest" });

export const RedriveResult = z.object({ lane: z.enum(QUEUES), moved: z.int(), has_more: z.boolean() }).meta({ id: "RedriveResult" });
export type RedriveResult = z.input<typeof RedriveResult>;
