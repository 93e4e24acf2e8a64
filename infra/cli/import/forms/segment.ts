import { type Fields, isFields } from "../../../../lib/event/fields.ts";
import { at, type Form, type FormOptions, fieldsOf, firstSaid, NoEvent, said, uuidOf, withoutEmpty } from "./form.ts";

const TYPES = ["track", "page", "screen", "identify", "group", "alias"] as const;
type CallType = (typeof TYPES)[number];

const isCallType = (type: unknown): type is CallType => TYPES.some((known) => known === type);

/** Where Segment's context says what a property of this product does. */
const CONTEXT: readonly (readonly [string, readonly string[]])[] = [
  ["$current_url", ["page", "url"]],
  ["$pathname", ["page", "path"]],
  ["$referrer", ["page", "referrer"]],
  ["title", ["page", "title"]],
  ["$raw_user_agent", ["userAgent"]],
  ["$ip", ["ip"]],
  ["$browser_language", ["locale"]],
  ["$timezone", ["timezone"]],
  ["$lib", ["library", "name"]],
  ["$lib_version", ["library", "version"]],
  ["$os", ["os", "name"]],
  ["$os_version", ["os", "version"]],
  ["$device_id", ["device", "id"]],
  ["$device_manufacturer", ["device", "manufacturer"]],
  ["$device_model", ["device", "model"]],
  ["$app_name", ["app", "name"]],
  ["$app_version", ["app", "version"]],
  ["$app_build", ["app", "build"]],
  ["$app_namespace", ["app", "namespace"]],
  ["$screen_height", ["screen", "height"]],
  ["$screen_width", ["screen", "width"]],
  ["utm_source", ["campaign", "source"]],
  ["utm_medium", ["campaign", "medium"]],
  ["utm_campaign", ["campaign", "name"]],
  ["utm_term", ["campaign", "term"]],
  ["utm_content", ["campaign", "content"]],
];

/** Segment's calls, as its raw copies and its archive keep them: a `type`, a `messageId`, who, and the call's own fields. */
export const segmentForm: Form = {
  name: "segment",
  knows: (record) =>
    isCallType(record.type) && (record.messageId !== undefined || record.anonymousId !== undefined || record.userId !== undefined),
  read(record, options) {
    const { type } = record;
    if (!isCallType(type)) throw new NoEvent(`type must be one of ${TYPES.join(", ")}`);
    return {
      distinct_id: firstSaid(record.userId, record.anonymousId),
      uuid: uuidOf("segment", record.messageId),
      timestamp: firstSaid(record.timestamp, record.originalTimestamp, record.receivedAt),
      ...CALLS[type](record, contextOf(record), options),
    };
  },
};

type Call = (record: Fields, context: Fields, options: FormOptions) => Fields;

const CALLS: Readonly<Record<CallType, Call>> = {
  track: ({ event, properties }, context) => ({ event, properties: { ...context, ...fieldsOf(properties) } }),
  page: ({ name, category, properties }, context) => ({
    event: "$pageview",
    properties: { ...context, ...fieldsOf(properties), ...withoutEmpty({ name, category }), ...pageOf(fieldsOf(properties)) },
  }),
  screen: ({ name, category, properties }, context) => ({
    event: "$screen",
    properties: { ...context, ...fieldsOf(properties), ...withoutEmpty({ $screen_name: name, category }) },
  }),
  identify: ({ userId, anonymousId, traits }, context) => ({
    event: "$identify",
    properties: {
      ...context,
      ...(said(userId) !== undefined && said(anonymousId) !== undefined && { $anon_distinct_id: anonymousId }),
      $set: fieldsOf(traits),
    },
  }),
  group: ({ groupId, traits }, context, { groupType }) => {
    if (said(groupId) === undefined) throw new NoEvent("a group needs its groupId");
    const $group_key = String(groupId);
    return {
      event: "$groupidentify",
      properties: { ...context, $group_type: groupType, $group_key, $group_set: fieldsOf(traits), $groups: { [groupType]: $group_key } },
    };
  },
  alias: ({ previousId }, context) => {
    if (said(previousId) === undefined) throw new NoEvent("an alias needs its previousId");
    return { event: "$create_alias", properties: { ...context, alias: previousId } };
  },
};

const pageOf = ({ url, path, referrer }: Fields): Fields => withoutEmpty({ $current_url: url, $pathname: path, $referrer: referrer });

const contextOf = ({ context }: Fields): Fields => {
  if (!isFields(context)) return {};
  const found: Record<string, unknown> = {};
  for (const [name, path] of CONTEXT) {
    const value = said(at(context, ...path));
    if (value !== undefined) found[name] = value;
  }
  return found;
};
