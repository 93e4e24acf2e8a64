/** How the first event is sent from somewhere. */
export interface Snippet {
  readonly name: string;
  readonly title: string;
  /** Where it goes, and what has to be installed before. */
  readonly where: string;
  readonly text: string;
}

const LOADER =
  '!function(t,e){var o,n,p,r;e.__SV||(window.posthog=e,e._i=[],e.init=function(i,s,a){function g(t,e){t[e]=function(){t.push([e].concat(Array.prototype.slice.call(arguments,0)))}}(p=t.createElement("script")).async=!0,p.crossOrigin="anonymous",p.src=s.api_host+"/static/array.js",(r=t.getElementsByTagName("script")[0]).parentNode.insertBefore(p,r);for(o="capture identify group reset register on".split(" "),n=0;n<o.length;n++)g(e,o[n]);e._i.push([i,s,a])},e.__SV=1)}(document,window.posthog||[]);';

/** The snippets of a project, by its token and the address that takes its events, which has no slash at its end. */
export const snippets = (token: string, host: string): readonly Snippet[] => [
  {
    name: "html",
    title: "HTML",
    where: "Into the head of every page. Page views, clicks and uncaught errors are sent from then on.",
    text: `<script>
  ${LOADER}
  posthog.init("${token}", { api_host: "${host}" });
</script>`,
  },
  {
    name: "node",
    title: "Node",
    where: "After npm install posthog-node, in a file that ends in .mjs.",
    text: `import { PostHog } from "posthog-node";

const client = new PostHog("${token}", { host: "${host}" });
client.capture({ distinctId: "ana", event: "signed up", properties: { plan: "team" } });
await client.shutdown();`,
  },
  {
    name: "python",
    title: "Python",
    where: "After pip install posthog.",
    text: `from posthog import Posthog

client = Posthog("${token}", host="${host}")
client.capture(event="signed up", distinct_id="ana", properties={"plan": "team"})
client.shutdown()`,
  },
  {
    name: "curl",
    title: "curl",
    where: "In a terminal.",
    text: `curl -s '${host}/i/v0/e/' \\
  -H 'Content-Type: application/json' \\
  -d '{"api_key": "${token}", "event": "signed up", "distinct_id": "ana", "properties": {"plan": "team"}}'`,
  },
];
