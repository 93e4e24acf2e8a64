import type { StoredQuery } from "../../../lib/endpoints/definition.ts";
import type { FieldBook } from "../../../lib/http/openapi.ts";
import type { InsightQuery } from "../../../lib/insight/query.ts";

/** Fields that are stored and sent back, and change no row. */
const ECHOED = {
  response: "Taken, kept and sent back; it changes no row.",
  tags: "Notes of a client about the query; kept and sent back.",
  version: "Version of the query's form that a client writes; kept and sent back.",
};

const INSIGHT = {
  dateRange: "The time that is looked at; the last seven days when left out.",
  properties: "Conditions that every event has to fulfil: a list, all of which hold, or a group.",
  breakdownFilter: "By the values of which properties the rows are told apart.",
  filterTestAccounts: "Taken, kept and sent back: no project here tells test accounts apart.",
  samplingFactor: "The part of all people that is looked at, above 0 and up to 1; counts are multiplied accordingly.",
  aggregation_group_type_index: "Number of the group type that is counted in the place of people.",
  dataColorTheme: "Colours in which user interfaces draw it; kept and sent back.",
  modifiers: "Switches of the query engine; kept and sent back.",
  ...ECHOED,
};

const NODE = {
  name: "Name of the event as user interfaces show it.",
  custom_name: "Name that the series shall have in the rows.",
  math: "How events are counted, such as `total`, `dau`, `avg` or `unique_group`; null for `total`.",
  math_property: "The property that is summed or averaged, for a `math` that needs one.",
  math_property_type: "Whose property that is; null for the event's.",
  math_property_revenue_currency: "Has to be null: currencies are not converted here.",
  math_hogql: "The aggregate to compute, for the `math` named `hogql`.",
  math_group_type_index: "Number of the group type to count, for `unique_group`.",
  math_multiplier: "A number by which each value of the property is multiplied.",
  properties: "Conditions that events of the series have to fulfil.",
  fixedProperties: "Further conditions, which user interfaces do not let people change.",
  optionalInFunnel: "Taken, kept and sent back; it belongs to funnels.",
  response: ECHOED.response,
  version: ECHOED.version,
};

const SHOWN = "How user interfaces draw the result; it changes no row.";

/** Fields that only change how a trend is drawn. */
const DRAWN = Object.fromEntries(
  [
    "showLegend",
    "showAlertThresholdLines",
    "showValuesOnSeries",
    "showPercentStackView",
    "showLabelsOnSeries",
    "showMultipleYAxes",
    "showConfidenceIntervals",
    "showTrendLines",
    "showMovingAverage",
  ].map((name) => [name, `Whether user interfaces show ${spacedWords(name)}; it changes no row.`]),
);

/** `showTrendLines` as `trend lines`. */
function spacedWords(name: string): string {
  return name
    .replace(/^show/, "")
    .replace(/([A-Z])/g, " $1")
    .trim()
    .toLowerCase();
}

const DATES = {
  date_from: "First moment: a date, a moment, one relative to now such as `-7d` or `mStart`, or `all`.",
  date_to: "Last moment, written as the first; now when left out.",
  explicitDate: "Whether the bounds are meant to the second and not widened to whole days.",
};

/** The fields of each kind's rows, by the name of their schema. */
const ROWS: Readonly<Record<InsightQuery["kind"], FieldBook["schemas"]>> = {
  TrendsQuery: {
    TrendResultRow: {
      data: "A number for each moment of `days`; empty where one total is shown.",
      labels: "The moments of `days` in words; left out where one total is shown.",
      aggregated_value: "The total, where one is shown.",
      action: "The series that was counted; null for a formula.",
      breakdown_value: "Value of the breakdown, a list where there are several; left out without one.",
      compare_label: "Which period the row is of; only where periods are compared.",
      days: "The first moment of each piece of time, `YYYY-MM-DD` or with a time; empty where one total is shown.",
      count: "Sum of `data`; 0 where one total is shown.",
      label: "Name of the series, and of the breakdown's value where there is one.",
      order: "Place of the series or formula in the query, from 0.",
      filter: "The query in the form in which user interfaces read it.",
      "action.days": "The first moment of each piece of time, ISO 8601.",
      "action.id": "Name of the event; null for any event.",
      "action.type": "Always `events`: a series counts events.",
      "action.order": "Place of the series in the query, from 0.",
      "action.name": "Name of the event, or what stands for any event.",
      "action.custom_name": "Name that the author gave the series; null for none.",
      "action.math": "How events are counted; null for all of them.",
      "action.math_property": "The property that is summed or averaged; null for none.",
      "action.math_hogql": "The expression that is computed; null for none.",
      "action.math_group_type_index": "Number of the group type that is counted; null for none.",
      "action.properties": "The conditions of the series.",
      compare: "True where periods are compared; otherwise left out.",
    },
  },
  RetentionQuery: {
    RetentionResultRow: {
      values: "How many came back in each period, beginning with that in which they began.",
      "values.count": "How many people, groups or whatever is counted.",
      "values.label": "Name of the period, such as `Day 0`.",
      "values.aggregation_value": "The sum or mean of a property; only where one is asked for.",
      label: "Name of the period in which they began, such as `Day 0`.",
      date: "First moment of that period, ISO 8601.",
      breakdown_value: "Value of the breakdown, several joined by `::`; null without one.",
    },
  },
};

/** A text for each key of each kind of query. */
type QueryTexts = {
  readonly [Query in StoredQuery as Query["kind"]]: FieldBook["schemas"][string] & Readonly<Record<keyof Query, string>>;
};

/** Fields of queries, of SQL and of insights, and of the rows of insights. */
export const INSIGHT_FIELDS = {
  ...Object.fromEntries(Object.values(ROWS).flatMap((schemas) => Object.entries(schemas))),
  HogQLQuery: {
    kind: "Says that this is a SQL query.",
    query: "A SELECT in the query language; `{variables.name}` stands for a value that a run gives.",
    variables: "Definitions of its variables, by their ids; those that the text does not use are dropped.",
    "variables.variableId": "Id of the variable, a UUID of your choice and the key of this entry.",
    "variables.code_name": "Name by which the query and its callers know the variable.",
    "variables.value": "The default, which also tells the variable's type; null for none.",
    "variables.isNull": "Whether the default is NULL, so that a run need not give a value.",
    explain: "Taken, kept and sent back; no plan is made.",
    filters: "What `{filters}` in the text stands for.",
    "filters.dateRange": "The time to which `{filters}` bounds events.",
    "filters.dateRange.date_from": DATES.date_from,
    "filters.dateRange.date_to": DATES.date_to,
    "filters.dateRange.explicitDate": DATES.explicitDate,
    "filters.properties": "Conditions of `{filters}`, all of which have to hold.",
    "filters.filterTestAccounts": "Taken, kept and sent back: no project here tells test accounts apart.",
    modifiers: INSIGHT.modifiers,
    name: "A name that clients keep with the query; sent back.",
    ...ECHOED,
    values: "What `{name}` in the text stands for, by name.",
  },
  TrendsQuery: {
    kind: "Says that this is a trend: counts of events over time.",
    series: "What is counted, at least one series; formulas call them A, B, C and so on.",
    interval: "Length of the pieces of time that are counted; a day when left out.",
    compareFilter: "Whether an earlier period is shown beside this one.",
    trendsFilter: "How the result is shown and what is computed of the series.",
    conversionGoal: "Has to be null: in the place of a conversion goal add a series and a formula.",
    ...INSIGHT,
  },
  EventsNode: {
    kind: "Says that the series counts events.",
    event: "Name of the events to count; null for events of every name.",
    limit: "Taken, kept and sent back; a series has no limit.",
    orderBy: "Taken, kept and sent back; a series has no order.",
    ...NODE,
  },
  ActionsNode: {
    kind: "Says that the series counts an action; there are none here, so it is refused.",
    id: "Number of the action.",
    ...NODE,
  },
  DataWarehouseNode: { kind: "Says that the series counts rows of another table, which is refused." },
  CompareFilter: {
    compare: "Whether to show an earlier period, too.",
    compare_to: "How far back that period lies, such as `-1m`; directly before this one when left out.",
  },
  TrendsFilter: {
    display: "How the result is shown. Some forms give one total, and a cumulative graph running totals.",
    formula: "A formula of the series such as `A / B`, shown in their place.",
    formulas: "Several formulas, each shown as a series.",
    formulaNodes: "Several formulas with names of their own.",
    "formulaNodes.formula": "A formula of the series, such as `A / B`.",
    "formulaNodes.custom_name": "Name that the formula shall have in the rows.",
    smoothingIntervals: "Over how many pieces of time each value is averaged; 1 for none.",
    ...DRAWN,
    confidenceLevel: SHOWN,
    movingAverageIntervals: SHOWN,
    aggregationAxisFormat: SHOWN,
    aggregationAxisPrefix: "Text that user interfaces write before values; it changes no row.",
    aggregationAxisPostfix: "Text that user interfaces write after values; it changes no row.",
    decimalPlaces: "Most decimal places that user interfaces show; it changes no row.",
    minDecimalPlaces: "Fewest decimal places that user interfaces show; it changes no row.",
    hiddenLegendIndexes: "Series that user interfaces hide, by their places; it changes no row.",
    yAxisScaleType: SHOWN,
    goalLines: "Lines that user interfaces draw at certain values; they change no row.",
    resultCustomizations: "Colours and names of single results in user interfaces; they change no row.",
    resultCustomizationBy: "How those results are told: by their value or by their place.",
    detailedResultsAggregationType: "What the table below a graph shows of each series; it changes no row.",
  },
  RetentionQuery: {
    kind: "Says that this is a retention: who comes back.",
    retentionFilter: "What begins, what counts as coming back, and over which periods.",
    ...INSIGHT,
  },
  RetentionFilter: {
    retentionType: "Who begins: whoever does it in a period (recurring), for the first time in the range, or for the first time ever.",
    period: "Length of the periods; a day when left out.",
    totalIntervals: "How many periods are shown, that of the beginning included; 8 when left out.",
    targetEntity: "The event that begins; page views when left out.",
    returningEntity: "The event that counts as coming back; page views when left out.",
    cumulative: "Whether somebody who comes back counts in all periods up to then.",
    minimumOccurrences: "How often somebody has to come back in a period to count; once when left out.",
    retentionCustomBrackets: "Lengths of the periods one by one, in the place of equal ones.",
    timeWindowMode: "Whether periods are those of the calendar or begin with each one's own start.",
    aggregationType: "What is shown beside the count: nothing more, or the sum or mean of a property.",
    aggregationProperty: "The property that is summed or averaged.",
    aggregationPropertyType: "Whose property that is: the event's or the person's.",
    retentionReference: "To what user interfaces compare: the beginning or the period before; it changes no row.",
    display: SHOWN,
    dashboardDisplay: SHOWN,
    showTrendLines: "Whether user interfaces show trend lines; it changes no row.",
    meanRetentionCalculation: "How user interfaces compute a mean row; it changes no row.",
    goalLines: "Lines that user interfaces draw at certain values; they change no row.",
    selectedInterval: "The period that user interfaces have opened; it changes no row.",
  },
  RetentionEntity: {
    id: "Name of the event; null for any event.",
    name: "Name of the event as user interfaces show it.",
    type: "What it is: an event; actions and rows of other tables are refused.",
    kind: "The same as the kind of a series; actions are refused.",
    properties: "Conditions that its events have to fulfil.",
    custom_name: "Name that the author gave it; kept and sent back.",
    order: "Its place in user interfaces; kept and sent back.",
    uuid: "Its id in user interfaces; kept and sent back.",
  },
  DateRange: DATES,
  PropertyFilter: {
    key: "Name of the property, or of type `hogql` an expression that is true or false.",
    value: "What it is compared with; a list for any of several values.",
    operator: "How it is compared; null for `exact`.",
    type: "Whose property it is; null for the event's.",
    group_type_index: "Number of the group type, for a property of a group.",
    label: "Name of the condition in user interfaces; kept and sent back.",
    group_key_names: "Names of groups in user interfaces, by their keys; kept and sent back.",
    cohort_name: "Name of the cohort in user interfaces; kept and sent back.",
  },
  PropertyGroup: {
    type: "Whether all of its values have to hold or any of them.",
    values: "Conditions, or groups of conditions.",
  },
  Breakdown: {
    property: "Name of the property, or of type `hogql` an expression.",
    type: "Whose property it is; null for the event's.",
    normalize_url: "Whether addresses count as the same without what ends them: `/`, `?` and `#`.",
    histogram_bin_count: "Into how many ranges numbers are divided; every number for itself when left out.",
    group_type_index: "Number of the group type, for a property of a group.",
  },
  BreakdownFilter: {
    breakdown: "The property to break down by, in the older form; `breakdowns` takes several.",
    breakdown_type: "Whose property `breakdown` is; null for the event's.",
    breakdown_group_type_index: "Number of the group type, where `breakdown` is a property of a group.",
    breakdown_limit: "Values that are shown one by one; an endpoint shows up to 10,000 whatever is sent.",
    breakdown_hide_other_aggregation: "Taken, kept and sent back: what lies beyond the limit is always shown as `Other`.",
    breakdown_normalize_url: "Whether addresses count as the same without what ends them: `/`, `?` and `#`.",
    breakdown_path_cleaning: "Taken, kept and sent back: no project here has rules for paths.",
    breakdown_histogram_bin_count: "Into how many ranges numbers are divided, for `breakdown`.",
    breakdowns: "The properties to break down by, at most three.",
  },
  DashboardFilter: {
    ...DATES,
    properties: "Conditions that every event has to fulfil besides the insight's own.",
    breakdown_filter: "A breakdown in the place of the insight's own.",
    filterTestAccounts: INSIGHT.filterTestAccounts,
    interval: "Length of the pieces of time in the place of the insight's own.",
  },
} satisfies QueryTexts & FieldBook["schemas"];
