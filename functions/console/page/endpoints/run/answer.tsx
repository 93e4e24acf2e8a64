import { numberText } from "../../../parts/number/number.tsx";
import { RESULT_KINDS } from "../../../parts/result/kinds.ts";
import { KindChoice, Result } from "../../../parts/result/result.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import type { RunReply } from "../calls.ts";

/** What a run gave: its rows, and how they came. */
export const Answer = ({ reply }: { readonly reply: RunReply }) => {
  const address = useAddress();
  const { data, headers } = reply;
  const passedOver = headers.get("x-run-passed-over");
  const warning = headers.get("x-posthog-warn");
  const wished = address.query.get("plot");
  const kind = RESULT_KINDS.find(({ value }) => value === wished)?.value ?? "auto";
  return (
    <>
      <div class="endpoint-answer-head">
        <Facts reply={reply} />
        <KindChoice
          answer={data}
          kind={kind}
          change={(value) => go(withQuery(address, { plot: value === "auto" ? undefined : value }), { replace: true })}
        />
      </div>
      {passedOver && <p class="note">The table was passed over: {REASONS[passedOver] ?? passedOver}.</p>}
      {warning && <p class="note">{warning}</p>}
      <Result answer={data} kind={kind} label={data.name} />
    </>
  );
};

const Facts = ({ reply: { data, headers, ms } }: { readonly reply: RunReply }) => {
  const address = useAddress();
  const { results, hasMore, limit, offset = 0, last_refresh } = data;
  const [path = "live", engine] = (headers.get("x-run-path") ?? "live").split("; engine=");
  return (
    <p>
      {numberText(results.length)} {results.length === 1 ? "row" : "rows"}, {numberText(Math.round(ms))} ms, {path}
      {engine !== undefined && <> by {ENGINE_TITLES[engine] ?? engine}</>}
      {path !== "live" && (
        <>
          , computed <Ago at={last_refresh} />
        </>
      )}
      , version {data.endpoint_version}
      {hasMore && limit !== undefined && (
        <>
          {" · "}
          <a href={withQuery(address, { offset: String(offset + limit) })}>Next rows</a>
        </>
      )}
    </p>
  );
};

const ENGINE_TITLES: Readonly<Record<string, string>> = { clickhouse: "ClickHouse" };

/** What the API's reasons mean. */
const REASONS: Readonly<Record<string, string>> = {
  direct: "that was asked for",
  failed: "it could not be made",
  cancelled: "making it was cancelled",
  not_ready: "it is not made yet",
  modified: "its definition changed, and it is made anew",
  stale: "it is older than a result may be",
  filters_override: "the run has filters of its own",
  breakdowns: "it does not have these breakdowns",
  variables: "it does not have these variables",
  digits: "it would not answer to the last digit",
  read_failed: "it could not be read",
};
