import { parentPort, workerData } from "node:worker_threads";
import { Browser } from "happy-dom";

/**
 * A page in a document without a browser. In a thread of its own, because such a document fetches some of its scripts while everything
 * else in the thread stands still. Told anything, it leaves the page.
 */
const browser = new Browser({
  settings: {
    enableJavaScriptEvaluation: true,
    suppressInsecureJavaScriptEnvironmentWarning: true,
    navigation: { disableMainFrameNavigation: true },
  },
});
const page = browser.newPage();

/** Bytes that the page's scripts made, as this document knows bytes: those of another context are none to it. */
const own = <T>(body: T): T | Uint8Array =>
  Object.prototype.toString.call(body) === "[object ArrayBuffer]" ? new Uint8Array(body as ArrayBuffer) : body;

const { fetch: send, Blob: OwnBlob } = page.mainFrame.window;
Object.assign(page.mainFrame.window, {
  fetch: (url: string, init: Parameters<typeof send>[1]) => send(url, init && { ...init, body: own(init.body ?? null) as never }),
  Blob: class extends OwnBlob {
    constructor(parts: ConstructorParameters<typeof OwnBlob>[0] = [], options: ConstructorParameters<typeof OwnBlob>[1] = {}) {
      super(parts.map(own) as typeof parts, options);
    }
  },
});
await fetch(String(workerData)).then(async (reply) => {
  page.url = String(workerData);
  page.content = await reply.text();
});
const window = page.mainFrame.window;
parentPort?.once("message", () => window.dispatchEvent(new window.Event("pagehide")));
