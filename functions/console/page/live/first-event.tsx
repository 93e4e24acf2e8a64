import type { ReachedProject } from "../../calls/session.ts";
import { Code } from "../../parts/code/code.tsx";
import { Tabs } from "../../parts/tabs/tabs.tsx";
import { type Address, withQuery } from "../address.ts";
import { snippets } from "./snippets.ts";

interface FirstEventProps {
  readonly project: ReachedProject;
  /** Where events are sent, without a slash at its end. */
  readonly host: string;
  readonly address: Address;
}

/** How the first event is sent. */
export const FirstEvent = ({ project, host, address }: FirstEventProps) => {
  const all = snippets(project.api_token, host);
  const shown = all.find(({ name }) => name === address.query.get("send")) ?? all[0];
  return (
    <section class="first-event" aria-label="Send the first event">
      <p>Send an event from where you are; it shows here by itself. The token is this project's own, and may be public.</p>
      <Tabs
        label="Ways to send an event"
        tabs={all.map(({ name, title }) => ({ title, href: withQuery(address, { send: name }), current: name === shown?.name }))}
      />
      {shown && <Code key={shown.name} text={shown.text} label={shown.where} />}
    </section>
  );
};

/** Whether events come, as a light and in words. */
export const Light = ({ arrived }: { readonly arrived: boolean }) => (
  <p class={arrived ? "light on" : "light"} role="status">
    {arrived ? "The first event arrived" : "Waiting for the first event"}
  </p>
);
