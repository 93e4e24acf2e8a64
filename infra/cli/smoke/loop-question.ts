import { stackNames } from "../../outputs.ts";
import type { Account } from "../account.ts";
import type { Question } from "./question.ts";

/** The stacks whose functions drain queues that they send to. */
const draining = (stage: string): readonly string[] => [stackNames(stage).ingest, stackNames(stage).workers];

const FUNCTION = "AWS::Lambda::Function";
const MAPPING = "AWS::Lambda::EventSourceMapping";

/** Whether the service would end work that is put off as an endless loop: asked of its own settings, because sixteen rounds take hours. */
export const loopQuestion = (account: Pick<Account, "resources" | "loopsAllowed">, stage: string): Question => ({
  asks: "functions that may send to the queue that they drain, as often as they need to",
  assumed: { deployed: "as many as queues are drained" },
  async ask() {
    const resources = (await Promise.all(draining(stage).map((stack) => account.resources(stack)))).flatMap((each) => each ?? []);
    const drained = resources.filter(({ type }) => type === MAPPING).length;
    const functions = resources.filter(({ type }) => type === FUNCTION);
    const allowed = (await Promise.all(functions.map(({ name }) => account.loopsAllowed(name)))).filter(Boolean).length;
    return { found: `${allowed}, and ${drained} queues`, asAssumed: drained > 0 && allowed === drained };
  },
});
