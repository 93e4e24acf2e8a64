import type { Copy } from "./copies.ts";

const NEVER_EVENTS = [
  ..."$experiment_exposure,survey sent,survey shown,survey dismissed,$exception".split(","),
  ..."loaded,widget_loaded,message_sent,user_identified,restore_link_requested,widget_state_changed,back_to_tickets"
    .split(",")
    .map((name) => `$conversations_${name}`),
];

/** How many events of each UTC day and usage type the copies are; what is imported has types of its own. Keys are `day type`. */
export const usageOf = (copies: readonly Copy[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const copy of copies) {
    for (const type of typesOf(copy)) {
      const name = `${copy.day} ${copy.historical ? "historical:" : ""}${type}_in_period`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
};

const typesOf = ({ event, properties, isPersonal }: Copy): readonly string[] => {
  if (event === "$exception") return ["exceptions_captured"];
  if (event.startsWith("$ai_")) return ["ai_event_count"];
  if (event === "survey sent") return (properties.$product_tour_id ?? null) === null ? ["survey_responses_count"] : [];
  if (event === "$feature_flag_called") return ["billable_feature_flag_requests_count"];
  if (NEVER_EVENTS.includes(event)) return [];
  return isPersonal ? ["event_count", "enhanced_persons_event_count"] : ["event_count"];
};
