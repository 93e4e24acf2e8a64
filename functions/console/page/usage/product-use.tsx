import { usdText } from "../../parts/number/money.ts";
import { useAddress, withQuery } from "../address.ts";
import type { Addon, Overview, Product } from "./calls.ts";
import { LimitForm } from "./limit-form.tsx";
import { costLimit, isLifted, limitName, standing } from "./limits.ts";
import { useOrganization } from "./organization.ts";
import type { PageProps } from "./page-frame.tsx";
import { UseBar } from "./use-bar.tsx";

interface ProductUseProps extends PageProps {
  readonly product: Product | Addon;
  /** The product that an addon belongs to. */
  readonly parent?: Product;
  readonly overview: Overview;
  /** The resources of the project that are over their limit and whose data are dropped. */
  readonly limited: readonly string[];
}

/** A product or an addon in the period: its money, its bar, its limits. */
export const ProductUse = ({ project, product, parent, overview, limited }: ProductUseProps) => {
  const { mayChange } = useOrganization(project);
  const address = useAddress();
  const isOpen = mayChange && address.query.get("limit") === product.type;
  const limit = costLimit(overview, product);
  if (product.usage_key === null && !product.subscribed) return null;
  return (
    <li class={parent ? "addon" : undefined}>
      <div class="product-head">
        <h2>
          {product.name}
          {parent && <span class="note"> addon of {parent.name}</span>}
        </h2>
        <span class="product-money">{product.subscribed ? moneyText(product) : <span class="soft">free</span>}</span>
      </div>
      {product.usage_key !== null && <UseBar product={product} standing={standing(product, limited)} />}
      {product.tiered && (
        <p class="product-limit note">
          {limit === undefined ? "No limit of cost" : `At most ${usdText(limit)} a period`}
          {isLifted(overview, product) && ", until it ends"}
          {mayChange && (
            <a href={withQuery(address, { limit: isOpen ? undefined : product.type })} aria-expanded={isOpen}>
              {limit === undefined ? "Set a limit" : "Change the limit"}
              <span class="hidden"> of {product.name}</span>
            </a>
          )}
        </p>
      )}
      {isOpen && (
        <LimitForm
          project={project}
          product={product}
          name={limitName(overview, product)}
          limit={limit}
          isLifted={isLifted(overview, product)}
        />
      )}
    </li>
  );
};

/** What an item costs so far and will, in words. */
const moneyText = ({ current_amount_usd, projected_amount_usd_with_limit: projected }: Product | Addon): string =>
  `${usdText(current_amount_usd ?? "0")} so far${projected === null ? "" : `, about ${usdText(projected)} at the end`}`;
