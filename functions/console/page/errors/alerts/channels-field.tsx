import { ChoiceField, TextField } from "../../../parts/field/field.tsx";
import type { Assignees } from "../assignees.ts";
import type { Channel } from "./alert-calls.ts";
import { CHANNELS } from "./words.ts";

/** A channel as a form holds it: whom or which address it goes to may not be said yet. */
export interface ChannelDraft {
  readonly type: Channel["type"];
  /** The number of a user, for letters. */
  readonly user: string;
  /** For the others. */
  readonly url: string;
}

export const NEW_CHANNEL: ChannelDraft = { type: "email", user: "", url: "" };

export const channelDraft = (channel: Channel): ChannelDraft =>
  channel.type === "email" ? { ...NEW_CHANNEL, user: String(channel.user_id) } : { ...NEW_CHANNEL, type: channel.type, url: channel.url };

export const writtenChannel = ({ type, user, url }: ChannelDraft): Channel =>
  type === "email" ? { type, user_id: Number(user) } : { type, url: url.trim() };

/** Letters go to people, not to roles. */
const isPerson = ({ value }: { readonly value: string }): boolean => value.startsWith("user:");

interface ChannelsFieldProps {
  readonly value: readonly ChannelDraft[];
  readonly assignees: Assignees;
  change(value: readonly ChannelDraft[]): void;
}

/** The channels that an alert goes to. */
export const ChannelsField = ({ value, assignees, change }: ChannelsFieldProps) => {
  const set = (place: number, part: Partial<ChannelDraft>): void =>
    change(value.map((each, at) => (at === place ? { ...each, ...part } : each)));
  return (
    <fieldset class="conditions">
      <legend>Where it goes</legend>
      {value.map(({ type, user, url }, place) => (
        <section key={place} class="condition" aria-label={`Channel ${place + 1}`}>
          <ChoiceField label="As" value={type} options={CHANNELS} change={(next) => set(place, { type: next as Channel["type"] })} />
          {type === "email" ? (
            <ChoiceField
              label="To"
              value={user === "" ? "" : `user:${user}`}
              options={[
                { value: "", title: "Choose one" },
                ...assignees.choicesBeside(user === "" ? null : { type: "user", id: Number(user) }).filter(isPerson),
              ]}
              change={(next) => set(place, { user: next.replace("user:", "") })}
            />
          ) : (
            <TextField label="Address" value={url} placeholder="https://" autoComplete="off" change={(next) => set(place, { url: next })} />
          )}
          <button
            type="button"
            class="quiet"
            aria-label={`Take out channel ${place + 1}`}
            onClick={() => change(value.filter((_, at) => at !== place))}
          >
            Take out
          </button>
        </section>
      ))}
      <button type="button" class="quiet" onClick={() => change([...value, NEW_CHANNEL])}>
        Add a channel
      </button>
    </fieldset>
  );
};
