import type { FieldBook } from "../../../lib/http/openapi.ts";

/** Fields of the health of a project. */
export const HEALTH_FIELDS: FieldBook["schemas"] = {
  ProjectHealth: {
    status:
      "How the project is: `ok`, `behind` where something takes too long, `failing` where something was given up on or fails again and again.",
    summary: "One sentence: that all is well, or the worst that is wrong and what to do.",
    lanes: "The queues of the platform: `live` for events, `historical` for imports, `jobs` for background work. All projects share them.",
    storage: "How soon events of this project are stored, and what compaction has left to do.",
    jobs: "Jobs of this project that fail, 100 at most. Each is tried again by itself.",
    misfits:
      "Properties of this project with values that do not fit their type, so that queries read them as NULL; 100 at most, those of most values first.",
  },
  HealthLane: {
    name: "Which of the lanes it is.",
    waiting: "Messages that wait for somebody to take them, nearly; a message holds one event or thousands.",
    in_flight: "Messages that are worked on, or wait for their next try.",
    dead_letters: "Messages that were given up on. They are kept for 14 days.",
  },
  HealthStorage: {
    newest_stored_at:
      "When live events of this project were stored last; null where compaction took in all of them a quarter of an hour ago.",
    delay_seconds:
      "How long the earliest of these events had to wait from arrival to being seen by queries, seconds; null where that is not known.",
    segments_waiting: "Files of stored events that wait to be compacted; queries see them all.",
    deltas_waiting: "Changes of persons and groups, by the batch they came in, that wait to be folded; queries see them all.",
    oldest_waiting_at: "When the oldest of both was stored; null where nothing waits.",
    has_more: "Whether more waits than was counted.",
  },
  HealthJob: {
    kind: "What the job does.",
    partition: "The span of time that it works on, such as `2026-11`; null where it works on all.",
    attempts: "How often it was tried in vain.",
    since: "When it failed first.",
    last_attempt_at: "When it failed last.",
    next_attempt_at: "When it is asked for again, at the soonest.",
    advice: "What that means for the project, and how the operator finds the cause.",
  },
  HealthMisfit: {
    property: "Name of the property.",
    owner: "Whose property it is: an event's, a person's or a group's.",
    group_type_index: "Of a group, the place of its type, from 0; else null.",
    type: "What queries take its values for.",
    values: "Values that are of another type, at least: of each other type, 8 stands for 8 or more.",
  },
  RedriveRequest: {
    lane: "The lane whose dead letters are sent back.",
  },
  RedriveResult: {
    lane: "The lane, as asked.",
    moved: "Messages that were sent back to the lane by this call.",
    has_more: "Whether the call ended before the dead letters were empty: call again.",
  },
};
