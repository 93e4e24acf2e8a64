import * as z from "zod";
import { type Route, route } from "../../../lib/app/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import { channelProblem } from "../../../lib/error-tracking/alert-channels.ts";
import { type AlertRule, askOfIssueAlone, ISSUE_TRIGGERS } from "../../../lib/error-tracking/alert-rules.ts";
import { sendTestAlert } from "../../../lib/error-tracking/alert-sending.ts";
import { readAlertStates } from "../../../lib/error-tracking/alert-states.ts";
import type { Fields } from "../../../lib/event/fields.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { empty, json } from "../../../lib/http/reply.ts";
import { newSigningSecret } from "../../../lib/notices/signature.ts";
import { BASE, type InProject, read, TAGS, write } from "../place.ts";
import { FILTERS_EXAMPLE, filtersText } from "../rules/rule-filters.ts";
import { AlertRuleChanges, AlertRuleForm, AlertRuleWrite, alertRuleForm, NewAlertRuleForm } from "./alert-rule-form.ts";
import { addAlertRule, changeAlertRule, findAlertRule, listAlertRules, removeAlertRule } from "./stored-alert-rules.ts";

const PATH = `${BASE}/alert_rules/` as const;
const ONE = `${BASE}/alert_rules/{id}/` as const;

const find = ({ params, grant, world }: InProject) => findAlertRule(world.table, grant.project.id, params.id);

type Project = InProject["grant"]["project"];

/** What a rule says, once all of it fits together. Throws 400. */
type RuleSettings = Pick<AlertRule, "trigger" | "threshold" | "channels"> & { readonly filters: Fields | null };

const filtersOf = ({ trigger, filters }: RuleSettings, timezone: string): string | null => {
  if (filters === null) return null;
  const checked = filtersText(filters, timezone, { needsCondition: false });
  if (ISSUE_TRIGGERS.has(trigger) && !askOfIssueAlone(filters))
    throw invalid(
      "filters",
      `A rule with the trigger ${trigger} is about many exceptions: its filters ask about the issue alone, with conditions of the type error_tracking_issue.`,
    );
  return checked;
};

const checkThreshold = ({ trigger, threshold }: RuleSettings): void => {
  if (trigger === "threshold" && threshold === null)
    throw invalid("threshold", "This field is required with the trigger threshold.", "required");
  if (trigger !== "threshold" && threshold !== null) throw invalid("threshold", "Only a rule with the trigger threshold has one.");
};

const checkChannels = async (world: World, project: Project, { channels }: Pick<RuleSettings, "channels">): Promise<void> => {
  if (new Set(channels.map((channel) => JSON.stringify(channel))).size < channels.length)
    throw invalid("channels", "Two channels are the same.");
  const problems = await Promise.all(channels.map((channel) => channelProblem(world, project, channel)));
  const problem = problems.find((each) => each !== undefined);
  if (problem !== undefined) throw invalid("channels", problem);
};

const list = route({
  method: "GET",
  path: PATH,
  summary: "List alert rules",
  description: "The oldest first.",
  tags: TAGS,
  access: read,
  reply: json(200, z.object({ results: z.array(AlertRuleForm) }).meta({ id: "ErrorTrackingAlertRuleList" })),
  async handle({ grant: { project }, world: { table } }) {
    const [rules, state] = await Promise.all([listAlertRules(table, project.id), readAlertStates(table, project)]);
    return { results: rules.map((rule) => alertRuleForm(rule, state(rule))) };
  },
});

const EXAMPLE = {
  name: "New errors of the checkout",
  trigger: "issue_created",
  filters: FILTERS_EXAMPLE,
  channels: [{ type: "webhook", url: "https://hooks.acme.example/errors" }],
  cooldown_minutes: 10,
};

const create = route({
  method: "POST",
  path: PATH,
  summary: "Create an alert rule",
  description:
    "What it tells is sent within two minutes, to all of its channels, and tried for a day. Only this answer shows the secret that its webhooks are signed with.",
  tags: TAGS,
  access: write,
  body: AlertRuleWrite,
  examples: { body: EXAMPLE },
  reply: json(201, NewAlertRuleForm),
  async handle({ body, grant: { project }, world }) {
    checkThreshold(body);
    const filters = filtersOf(body, project.timezone);
    await checkChannels(world, project, body);
    const now = isoMicros(world.clock.now());
    const own = { project: project.id, id: world.ids.uuid(), secret: newSigningSecret(world), platform_url: world.config.baseUrl };
    const rule: AlertRule = { ...own, ...body, filters, created_at: now, updated_at: now };
    await addAlertRule(world, rule);
    return { ...alertRuleForm(rule, { triggeredAt: null, error: null }), secret: rule.secret };
  },
});

const retrieve = route({
  method: "GET",
  path: ONE,
  summary: "Retrieve an alert rule",
  tags: TAGS,
  access: read,
  reply: json(200, AlertRuleForm),
  handle: async (place) => shown(place, await find(place)),
});

const shown = async ({ grant: { project }, world: { table } }: InProject, rule: AlertRule): Promise<z.input<typeof AlertRuleForm>> =>
  alertRuleForm(rule, (await readAlertStates(table, project, rule.id))(rule));

const update = route({
  method: "PATCH",
  path: ONE,
  summary: "Update an alert rule",
  description: "Fields that are left out keep what they are. The secret stays: for another one, make another rule.",
  tags: TAGS,
  access: write,
  body: AlertRuleChanges,
  examples: { body: { cooldown_minutes: 60, enabled: true } },
  reply: json(200, AlertRuleForm),
  find,
  errors: [409],
  async handle(place) {
    const {
      found,
      body,
      grant: { project },
      world,
    } = place;
    const before = { ...found, filters: found.filters === null ? null : JSON.parse(found.filters) };
    const settings = { ...before, ...body };
    checkThreshold(settings);
    const filters = filtersOf(settings, project.timezone);
    if (body.channels !== undefined) await checkChannels(world, project, settings);
    const { filters: _, ...changes } = body;
    const set = { ...changes, filters, platform_url: world.config.baseUrl, updated_at: isoMicros(world.clock.now()) };
    return shown(place, await changeAlertRule(world.table, found, set));
  },
});

const destroy = route({
  method: "DELETE",
  path: ONE,
  summary: "Delete an alert rule",
  description: "What it told a moment ago may not be sent any more.",
  tags: TAGS,
  access: write,
  reply: empty(204),
  find,
  handle: async ({ found, world }) => {
    await removeAlertRule(world, found);
  },
});

const test = route({
  method: "POST",
  path: `${ONE}test/`,
  summary: "Send a test of an alert rule",
  description:
    "A made-up alert, to all channels of the rule at once, whether it is enabled or not. `error` says what went wrong, if anything did.",
  tags: TAGS,
  access: write,
  reply: json(200, z.object({ success: z.boolean(), error: z.string().optional() }).meta({ id: "ErrorTrackingAlertTest" })),
  find,
  async handle({ found, grant: { project }, world }) {
    await checkChannels(world, project, found);
    const errors = await sendTestAlert(world, project, found);
    const failed = found.channels.flatMap(({ type }, at) => (errors[at] === null ? [] : [`Channel ${at + 1} (${type}): ${errors[at]}`]));
    return failed.length === 0 ? { success: true } : { success: false, error: failed.join(" ") };
  },
});

export const alertRuleRoutes: readonly Route[] = [list, create, retrieve, update, destroy, test];
