import type { Form } from "./form.ts";

/** Events as clients send them, and as `admin export` writes them: nothing of them is changed. */
export const eventsForm: Form = {
  name: "events",
  knows: ({ event, properties }) => typeof event === "string" && (properties === undefined || typeof properties === "object"),
  read: (record) => record,
};
