import { useSession } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { usdText } from "../../parts/number/money.ts";
import { useZone } from "../../parts/time/time.tsx";
import { Answer } from "./answer.tsx";
import { FRESH_MS, type Overview, readOverview, readQuotas } from "./calls.ts";
import { spanText } from "./days.ts";
import { useOrganization } from "./organization.ts";
import { PAGES, type PageProps, UsageFrame } from "./page-frame.tsx";
import { ProductUse } from "./product-use.tsx";

/** The period as it stands: money in words, and a bar for each product. */
export const ThisPeriod = ({ project }: PageProps) => {
  const { may } = useSession();
  const call = readOverview(project.id);
  const overview = useCall(call, { freshMs: FRESH_MS });
  const quotas = useCall(may("project:read") ? readQuotas(project.id) : undefined, { freshMs: FRESH_MS });
  const limited = Object.entries(quotas.data?.limited ?? {}).flatMap(([resource, quota]) => (quota.limited ? [resource] : []));
  return (
    <UsageFrame project={project} page={PAGES.period} call={call}>
      <Answer of={overview} lines={12}>
        {(data) => (
          <>
            <Summary project={project} overview={data} />
            {limited.length > 0 && (
              <p class="problem">
                Over their limit, so data of this project are dropped: <strong>{limited.join(", ")}</strong>.
              </p>
            )}
            <ul class="products">
              {data.products.flatMap((product) => [
                <ProductUse key={product.type} project={project} product={product} overview={data} limited={limited} />,
                ...product.addons
                  .filter((addon) => addon.usage_key !== null || addon.subscribed)
                  .map((addon) => (
                    <ProductUse key={addon.type} project={project} product={addon} parent={product} overview={data} limited={limited} />
                  )),
              ])}
            </ul>
          </>
        )}
      </Answer>
    </UsageFrame>
  );
};

/** Whose money it is, how much, and of which days. */
const Summary = ({ project, overview }: PageProps & { readonly overview: Overview }) => {
  const { name } = useOrganization(project);
  const zone = useZone();
  const { billing_period: period, billing_plan, current_total_amount_usd, current_total_amount_usd_after_discount: current } = overview;
  const projected = overview.projected_total_amount_usd_with_limit_after_discount;
  const isReduced = current !== current_total_amount_usd && current_total_amount_usd !== null;
  return (
    <div class="period">
      <p class="amount">
        <strong>{usdText(current ?? "0")}</strong> so far
        {projected !== null && (
          <>
            , about <strong>{usdText(projected)}</strong> at the end of the period
          </>
        )}
        .
      </p>
      <p class="soft">
        <bdi>{name}</bdi>, the organization of this project, on the plan {billing_plan ?? "free"}.
        {period?.current_period_start && period.current_period_end && (
          <>
            {" "}
            From {spanText(period.current_period_start, period.current_period_end, zone)}, {zone}.
          </>
        )}
        {isReduced && <> Without discounts it would be {usdText(current_total_amount_usd)} so far.</>}
        {overview.never_drop_data && " Its data are never dropped."}
        {overview.deactivated && " It is suspended."}
      </p>
    </div>
  );
};
