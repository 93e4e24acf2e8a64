import { useState } from "preact/hooks";
import { ApiProblem } from "../../calls/problems.ts";
import { useAction } from "../../calls/use-action.ts";
import { Field } from "../../parts/field/field.tsx";
import { Problem } from "../../parts/state/state.tsx";
import { go, useAddress, withQuery } from "../address.ts";
import { type Addon, BILLING, type Product, setLimit } from "./calls.ts";
import type { PageProps } from "./page-frame.tsx";

interface LimitFormProps extends PageProps {
  readonly product: Product | Addon;
  /** The name under which the limit is kept. */
  readonly name: string;
  /** Dollars; undefined for none. */
  readonly limit: number | undefined;
  readonly isLifted: boolean;
}

/** What a product may cost in a period. */
export const LimitForm = ({ project, product, name, limit, isLifted }: LimitFormProps) => {
  const address = useAddress();
  const action = useAction();
  const [usd, setUsd] = useState(limit === undefined ? "" : String(limit));
  const [lifted, setLifted] = useState(isLifted);
  const amount = usd.trim() === "" ? null : Number(usd);
  const isAtField = action.problem instanceof ApiProblem && (action.problem.attr?.startsWith("custom_limits_usd") ?? false);
  const close = (): void => go(withQuery(address, { limit: undefined }), { replace: true });
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await action.run(setLimit(project.id, name, amount, lifted), BILLING)) close();
  };
  return (
    <form class="limit-form" onSubmit={(event) => void save(event)}>
      <Field
        label={`The most that ${product.name} may cost in a period, in US dollars`}
        problem={isAtField ? action.problem?.message : undefined}
        hint={`Empty for no limit. Use beyond it is not taken.${product.subscribed ? "" : " It holds from when the product is subscribed; until then the free allocation does."}`}
      >
        {(attributes) => (
          <input {...attributes} type="number" step="any" value={usd} onInput={({ currentTarget }) => setUsd(currentTarget.value)} />
        )}
      </Field>
      <label class="check">
        <input type="checkbox" checked={lifted} onChange={({ currentTarget }) => setLifted(currentTarget.checked)} /> Lifted when this
        period ends
      </label>
      {action.problem && !isAtField && <Problem problem={action.problem} />}
      <div class="row">
        <button type="submit" class="primary" disabled={action.running}>
          Set the limit
        </button>
        <button type="button" class="quiet" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
};
