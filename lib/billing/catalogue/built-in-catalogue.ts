import { CatalogueDocument } from "../catalogue-document.ts";

type Prices = readonly (readonly [upTo: number | null, usd: string])[];

interface UsageProduct {
  readonly type: string;
  readonly usage_key: string;
  readonly usage_type: string;
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly icon_key: string;
  /** Units of a period that cost nothing, on every plan. */
  readonly free: number;
  /** Prices after the free units. */
  readonly prices: Prices;
}

const metered = ({ free, prices, ...item }: UsageProduct) => ({
  ...item,
  plans: [
    { plan_key: "free-20260101", name: "Free", is_free: true, free_allocation: free },
    {
      plan_key: "paid-20260101",
      name: "Pay as you go",
      free_allocation: free,
      tiers: [
        ...(free === 0 ? [] : [{ up_to: free, unit_amount_usd: "0" }]),
        ...prices.map(([up_to, unit_amount_usd]) => ({ up_to, unit_amount_usd })),
      ],
    },
  ],
});

const flat = (type: string, name: string, description: string, usd: string) => ({
  type,
  name,
  description,
  icon_key: "IconStack",
  trial: { length: 30 },
  plans: [{ plan_key: `${type}-20260101`, name, flat_amount_usd: usd, features: [{ key: `${type}_support`, name: `${name} support` }] }],
});

const feature = (key: string, name: string) => ({ key, name });

/** The price list of a deployment that has given none: examples of what its owner might charge its own departments or customers. */
export const BUILT_IN = CatalogueDocument.parse({
  products: [
    {
      ...metered({
        type: "product_analytics",
        usage_key: "events",
        usage_type: "event_count_in_period",
        name: "Product analytics",
        description: "Events, and the queries over them.",
        unit: "event",
        icon_key: "IconGraph",
        free: 1_000_000,
        prices: [
          [2_000_000, "0.00005"],
          [15_000_000, "0.0000343"],
          [50_000_000, "0.0000295"],
          [100_000_000, "0.0000218"],
          [250_000_000, "0.000015"],
          [null, "0.000009"],
        ],
      }),
      addons: [
        metered({
          type: "enhanced_persons",
          usage_key: "enhanced_persons",
          usage_type: "enhanced_persons_event_count_in_period",
          name: "Person profiles",
          description: "Events with a person behind them.",
          unit: "event",
          icon_key: "IconPeople",
          free: 1_000_000,
          prices: [
            [2_000_000, "0.000198"],
            [15_000_000, "0.000104"],
            [null, "0.00004"],
          ],
        }),
      ],
    },
    metered({
      type: "session_replay",
      usage_key: "recordings",
      usage_type: "recording_count_in_period",
      name: "Session replay",
      description: "Recordings of sessions.",
      unit: "recording",
      icon_key: "IconRewindPlay",
      free: 5_000,
      prices: [
        [15_000, "0.005"],
        [50_000, "0.0035"],
        [null, "0.002"],
      ],
    }),
    metered({
      type: "feature_flags",
      usage_key: "feature_flag_requests",
      usage_type: "billable_feature_flag_requests_count_in_period",
      name: "Feature flags",
      description: "Evaluations of flags.",
      unit: "request",
      icon_key: "IconToggle",
      free: 1_000_000,
      prices: [
        [2_000_000, "0.0001"],
        [null, "0.000045"],
      ],
    }),
    metered({
      type: "error_tracking",
      usage_key: "exceptions",
      usage_type: "exceptions_captured_in_period",
      name: "Error tracking",
      description: "Exceptions, grouped into issues.",
      unit: "exception",
      icon_key: "IconWarning",
      free: 100_000,
      prices: [
        [325_000, "0.00037"],
        [null, "0.00014"],
      ],
    }),
    metered({
      type: "llm_analytics",
      usage_key: "llm_events",
      usage_type: "ai_event_count_in_period",
      name: "LLM analytics",
      description: "Traces and generations of language models.",
      unit: "event",
      icon_key: "IconLlmAnalytics",
      free: 100_000,
      prices: [[null, "0.00006"]],
    }),
    metered({
      type: "surveys",
      usage_key: "survey_responses",
      usage_type: "survey_responses_count_in_period",
      name: "Surveys",
      description: "Answers to surveys.",
      unit: "response",
      icon_key: "IconMessage",
      free: 1_500,
      prices: [
        [2_000, "0.1"],
        [null, "0.035"],
      ],
    }),
    metered({
      type: "ai_credits",
      usage_key: "ai_credits",
      usage_type: "ai_credits_used_in_period",
      name: "Assistant",
      description: "Credits of a cent that the in-app assistant uses.",
      unit: "credit",
      icon_key: "IconSparkles",
      free: 2_000,
      prices: [[null, "0.01"]],
    }),
    {
      type: "platform_and_support",
      name: "Platform and support",
      description: "What every product stands on.",
      icon_key: "IconStack",
      plans: [
        {
          plan_key: "free-20260101",
          name: "Free",
          is_free: true,
          features: [feature("api_access", "API access"), feature("group_analytics", "Group analytics")],
        },
        {
          plan_key: "paid-20260101",
          name: "Pay as you go",
          features: [
            feature("api_access", "API access"),
            feature("group_analytics", "Group analytics"),
            feature("email_support", "E-mail support"),
          ],
        },
      ],
      addons: [
        flat("boost", "Boost", "For teams that grow.", "250"),
        flat("teams", "Teams", "For companies of several teams.", "750"),
        flat("enterprise", "Enterprise", "For those with rules of their own.", "2000"),
      ],
    },
  ],
});
