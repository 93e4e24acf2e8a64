import type { Attack, Attacker, Shot } from "../attack.ts";

/** Letters where digits are looked for: every place of the text begins a thousand ways on. */
const COUNTING = "(?:[a-zA-Z]?){990}[0-9][0-9]";
const LONG_TEXT = "a".repeat(10_000);
const EXCEPTIONS = 20;
const HUNDRED = 100;

/** Rules of grouping, severity, assignment and alerts that cost far more than they are long. */
export const rules = ({ tenant, round, at, sent, captured }: Attacker): readonly Attack[] => {
  const filters = (...patterns: readonly string[]) => ({
    type: "AND",
    values: patterns.map((value) => ({ type: "event", key: "$exception_values", operator: "regex", value })),
  });
  const rule = (kind: string, body: object): Shot => sent(at(`error_tracking/${kind}/`), JSON.stringify(body));
  const exceptions = (mark: string): Shot =>
    captured(
      JSON.stringify({
        api_key: tenant.projectToken,
        batch: Array.from({ length: EXCEPTIONS }, (_, number) => ({
          event: "$exception",
          distinct_id: "attacker",
          properties: { $exception_list: [{ type: `${mark}-${round}-${number}`, value: LONG_TEXT }] },
        })),
      }),
    );
  return [
    { name: "rules: a pattern that counts", shots: [rule("grouping_rules", { filters: filters(COUNTING) }), exceptions("grouped")] },
    {
      name: "rules: such patterns wherever there are rules",
      shots: [
        rule("severity_rules", { filters: filters(COUNTING), severity: "low" }),
        rule("assignment_rules", { filters: filters(COUNTING), assignee: { type: "user", id: tenant.userId } }),
        rule("alert_rules", {
          name: `alert-${round}`,
          trigger: "issue_created",
          channels: [{ type: "email", user_id: tenant.userId }],
          filters: filters(COUNTING),
        }),
        exceptions("judged"),
      ],
    },
    {
      name: "rules: a hundred, each a little dear",
      shots: [
        ...Array.from({ length: HUNDRED }, (_, number) => rule("grouping_rules", { filters: filters(`(?:[a-z]?){90}${number}[0-9]`) })),
        exceptions("hundred"),
      ],
    },
    {
      name: "rules: trials of a pattern that counts",
      shots: [{ ...sent(at("error_tracking/grouping_rules/try/"), JSON.stringify({ filters: filters(COUNTING) })), copies: 4 }],
    },
  ];
};
