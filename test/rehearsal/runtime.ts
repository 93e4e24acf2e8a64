/**
 * The process of one environment of a function: loads the handler from the folder in LAMBDA_TASK_ROOT, as the service's own runtime does,
 * and hands it one event after the other. It imports nothing but the asset.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface Invocation {
  readonly id: string;
  readonly event: unknown;
  readonly trace: string;
  readonly remainingMs: number;
  /** Most of what is left of the time goes by between two looks at it. */
  readonly hurried: boolean;
}

/** How much of the time that is left a look at it finds gone, where a call is hurried: all of it but one in so many parts. */
const HURRY = 4;

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const root = process.env.LAMBDA_TASK_ROOT ?? "";
const [file = "", name = ""] = (process.env._HANDLER ?? "").split(".");
const services = process.env.AWS_ENDPOINT_URL ?? "";

/** Addresses of services stand in the templates: they lead to the rehearsal's. */
const fetchOutside = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const aimed = url.hostname.endsWith(".amazonaws.com") ? new URL(`${url.pathname}${url.search}`, services) : input;
  return fetchOutside(aimed, init);
};

const tell = (message: object): void => void process.send?.(message);

/** Which variables the code looks at, told once each. */
const told = new Set<string>();
const untold = new Set<string>();
const given = process.env;
process.env = new Proxy(given, {
  get(target, property) {
    if (typeof property === "string" && !told.has(property)) untold.add(property);
    return Reflect.get(target, property);
  },
  // Straight to the target: an environment takes no property that is defined on something before it.
  set: (target, property, value) => Reflect.set(target, property, value),
});
const tellRead = (): void => {
  if (untold.size === 0) return;
  tell({ kind: "read", names: [...untold] });
  for (const each of untold) told.add(each);
  untold.clear();
};

const fault = (thrown: unknown) => ({
  errorType: thrown instanceof Error ? thrown.name : "Error",
  errorMessage: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
});

try {
  const module: Readonly<Record<string, Handler>> = await import(pathToFileURL(join(root, `${file}.mjs`)).href);
  const handler = module[name];
  if (handler === undefined) throw new Error(`${root} has no ${file}.${name}`);
  process.on("message", async ({ id, event, trace, remainingMs, hurried }: Invocation) => {
    const deadline = Date.now() + remainingMs;
    let looks = 0;
    process.env._X_AMZN_TRACE_ID = trace;
    const context = {
      awsRequestId: id,
      functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
      memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
      getRemainingTimeInMillis() {
        looks += 1;
        return (deadline - Date.now()) / (hurried ? HURRY ** looks : 1);
      },
    };
    try {
      // What is answered is JSON on its way: undefined is null there.
      const json = JSON.stringify((await handler(event, context)) ?? null);
      tellRead();
      tell({ kind: "done", id, json });
    } catch (thrown) {
      tell({ kind: "failed", id, ...fault(thrown) });
    }
  });
  tell({ kind: "ready" });
} catch (thrown) {
  tell({ kind: "unready", ...fault(thrown) });
}
