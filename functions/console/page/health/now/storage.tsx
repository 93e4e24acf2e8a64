import type { ComponentChildren } from "preact";
import { numberText } from "../../../parts/number/number.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import type { Health } from "../calls.ts";

/** How soon events are stored, and what compaction has left to do. */
export const Storage = ({ storage }: { readonly storage: Health["storage"] }) => {
  const { newest_stored_at, delay_seconds, segments_waiting, deltas_waiting, oldest_waiting_at, has_more } = storage;
  const least = has_more ? "at least " : "";
  return (
    <section>
      <h2>Storage</h2>
      <dl class="health-facts">
        <Fact name="Newest stored">{newest_stored_at ? <Ago at={newest_stored_at} /> : "No event lately"}</Fact>
        {delay_seconds !== null && <Fact name="From its arrival to storage">{`${numberText(delay_seconds)} s`}</Fact>}
        <Fact name="Waits for compaction">
          {segments_waiting + deltas_waiting === 0 ? (
            "Nothing"
          ) : (
            <>
              {least}
              {numberText(segments_waiting)} {segments_waiting === 1 ? "segment" : "segments"} of events, {numberText(deltas_waiting)}{" "}
              {deltas_waiting === 1 ? "delta" : "deltas"} of persons and groups
            </>
          )}
        </Fact>
        {oldest_waiting_at && (
          <Fact name="The oldest came">
            <Ago at={oldest_waiting_at} />
          </Fact>
        )}
      </dl>
    </section>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
