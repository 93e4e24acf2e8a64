import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** The SDK's own snippet, as its documentation prints it. */
const SNIPPET = `!function(t,e){var o,n,p,r;e.__SV||(window.posthog=e,e._i=[],e.init=function(i,s,a){function g(t,e){var o=e.split(".");2==o.length&&(t=t[o[0]],e=o[1]),t[e]=function(){t.push([e].concat(Array.prototype.slice.call(arguments,0)))}}(p=t.createElement("script")).type="text/javascript",p.crossOrigin="anonymous",p.async=!0,p.src=s.api_host.replace(".i.posthog.com","-assets.i.posthog.com")+"/static/array.js",(r=t.getElementsByTagName("script")[0]).parentNode.insertBefore(p,r);var u=e;for(void 0!==a?u=e[a]=[]:a="posthog",u.people=u.people||[],u.toString=function(t){var e="posthog";return"posthog"!==a&&(e+="."+a),t||(e+=" (stub)"),e},u.people.toString=function(){return u.toString(1)+".people (stub)"},o="init capture identify group reset get_distinct_id on".split(" "),n=0;n<o.length;n++)g(u,o[n]);e._i.push([i,s,a])},e.__SV=1)}(document,window.posthog||[]);`;

/** What a visitor does: waits until clicks are captured, buys, signs in with a company, signs out, buys again, and leaves. */
const VISIT = `
var red = [];
function note(said) { if (!/declined/.test(said)) red.push(said); }
["error", "warn"].forEach(function (level) {
  var said = console[level];
  console[level] = function () { note([].map.call(arguments, String).join(" ")); said.apply(console, arguments); };
});
window.addEventListener("error", function (event) { note(String(event.message)); });
function visit(posthog) {
  if (!window._POSTHOG_REMOTE_CONFIG) return setTimeout(function () { visit(posthog); }, 50);
  // The SDK listens to clicks a moment after it has read its configuration.
  setTimeout(function () { act(posthog); }, 1000);
}
function act(posthog) {
  document.getElementById("buy").dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, cancelable: true }));
  posthog.identify("ana", { plan: "pro" });
  posthog.group("company", "acme", { name: "Acme" });
  posthog.capture("bought", { price: 12.5 });
  posthog.reset();
  posthog.capture("came back");
  posthog.getSurveys(function () {}, true);
  posthog.getEarlyAccessFeatures(function () {}, true);
  posthog.toolbar.loadToolbar({});
  // Nobody catches it: the one thing that is said in red.
  setTimeout(function () { shop.tooMuch(); });
  // What is asked for is left to be answered.
  setTimeout(report, 2000);
}
function report() {
  fetch("/report", { method: "POST", body: JSON.stringify(red) }).then(function () {
    // What is on its way is left to arrive; what waits for a batch is what leaving has to send.
    setTimeout(function () { location.href = "/left"; }, 2000);
  });
}`;

export interface ShopPage {
  readonly url: string;
  /** What the page's console showed in red or yellow, once the visit is over. */
  readonly report: Promise<string>;
  /** Settles when the page was left. */
  readonly left: Promise<void>;
  close(): Promise<void>;
}

/** A page of somebody's shop, on an origin of its own, with its built code, and the SDK as its documentation says. */
export const shopPage = async (token: string, apiHost: string, code: string): Promise<ShopPage> => {
  const { promise: report, resolve: reported } = Promise.withResolvers<string>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const options = `{ api_host: ${JSON.stringify(apiHost)}, defaults: "2025-05-24", loaded: visit, opt_out_useragent_filter: true }`;
  const html = `<!doctype html><html><head><title>Shop</title><script src="/assets/app.js"></script><script>${VISIT}${SNIPPET}posthog.init(${JSON.stringify(token)}, ${options});</script></head><body><main><button id="buy" class="big">Buy</button></main></body></html>`;
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url === "/report") reported(await text(incoming));
    if (incoming.url === "/left") leave();
    const isCode = incoming.url === "/assets/app.js";
    outgoing.writeHead(incoming.url === "/favicon.ico" ? 204 : 200, { "content-type": isCode ? "text/javascript" : "text/html" });
    outgoing.end(isCode ? code : incoming.url === "/" ? html : "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`,
    report,
    left,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
