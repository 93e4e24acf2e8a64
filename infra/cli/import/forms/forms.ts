import type { Fields } from "../../../../lib/event/fields.ts";
import { amplitudeForm } from "./amplitude.ts";
import { eventsForm } from "./events.ts";
import type { Form } from "./form.ts";
import { mixpanelForm } from "./mixpanel.ts";
import { posthogForm } from "./posthog.ts";
import { segmentForm } from "./segment.ts";

/** In the order in which a record is tried; events that are already what clients send are known by the least. */
export const FORMS: readonly Form[] = [amplitudeForm, segmentForm, posthogForm, mixpanelForm, eventsForm];

/** The form that most of the first records of a file have; undefined where they have none. */
export const likelyForm = (records: readonly Fields[]): Form | undefined => {
  const counted = FORMS.map((form) => ({ form, count: records.filter((record) => firstKnown(record) === form).length }));
  const best = counted.reduce((most, each) => (each.count > most.count ? each : most));
  return best.count > 0 ? best.form : undefined;
};

const firstKnown = (record: Fields): Form | undefined => FORMS.find((form) => form.knows(record));
