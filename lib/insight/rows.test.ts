import { expect, it } from "vitest";
import { NULL_VALUE, OTHER_VALUE, shownRow } from "./rows.ts";

it.each([
  [
    { breakdown_value: NULL_VALUE, label: NULL_VALUE },
    { breakdown_value: null, label: "null" },
  ],
  [
    { breakdown_value: OTHER_VALUE, label: `seen - ${OTHER_VALUE}` },
    { breakdown_value: "Other", label: "seen - Other" },
  ],
  [
    { breakdown_value: [NULL_VALUE, "", OTHER_VALUE], label: `${NULL_VALUE}::::${OTHER_VALUE}` },
    { breakdown_value: [null, "", "Other"], label: "null::::Other" },
  ],
  [
    { breakdown_value: `Chrome::${NULL_VALUE}`, label: "Day 0" },
    { breakdown_value: "Chrome::null", label: "Day 0" },
  ],
  [
    { data: [1], label: "seen" },
    { data: [1], label: "seen" },
  ],
])("shows %j without what stands for other things", (row, shown) => {
  expect(shownRow(row)).toEqual(shown);
});
