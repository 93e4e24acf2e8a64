import { type Frame, type Stack, sent, sentChain } from "./stack.ts";

const LIB = "posthog-python";
const frame = (module: string, name: string, lineno: number, more: object = {}): Frame => ({
  platform: "python",
  filename: `${module.replaceAll(".", "/")}.py`,
  abs_path: `/srv/shop/${module.replaceAll(".", "/")}.py`,
  function: name,
  module,
  lineno,
  pre_context: [],
  context_line: "    ...",
  post_context: [],
  in_app: true,
  ...more,
});
const installed = (module: string, name: string): Frame =>
  frame(module, name, 8, { abs_path: `/usr/lib/python3.12/site-packages/${module.replaceAll(".", "/")}.py`, in_app: false });
const python = (type: string, value: string, ...frames: readonly Frame[]): Stack["properties"] => sent(LIB, type, value, frames);
const DJANGO = installed("django.core.handlers.exception", "inner");

export const PYTHON_STACKS: readonly Stack[] = [
  { told: "a view", issue: "checkout", properties: python("ValueError", "cart is empty", DJANGO, frame("app.views", "checkout", 42)) },
  { told: "other lines", issue: "checkout", properties: python("ValueError", "no cart", DJANGO, frame("app.views", "checkout", 57)) },
  { told: "another function", issue: "pay", properties: python("ValueError", "cart is empty", DJANGO, frame("app.views", "pay", 42)) },
  {
    told: "a cause, which the SDK sends first",
    issue: "chain",
    properties: sentChain(LIB, [
      ["KeyError", "'sku'", [frame("app.cart", "read", 3)]],
      ["CartError", "unreadable", [frame("app.views", "checkout", 42)]],
    ]),
  },
  {
    told: "the same of another sku",
    issue: "chain",
    properties: sentChain(LIB, [
      ["KeyError", "'ean'", [frame("app.cart", "read", 3)]],
      ["CartError", "unreadable", [frame("app.views", "checkout", 44)]],
    ]),
  },
  {
    told: "libraries only",
    issue: "orm",
    before: "libraries",
    properties: python("OperationalError", "x", DJANGO, installed("django.db.models.query", "get"), installed("psycopg.cursor", "execute")),
  },
  {
    told: "other libraries below the same",
    issue: "template",
    before: "libraries",
    properties: python("OperationalError", "x", DJANGO, installed("django.template.base", "render")),
  },
  {
    told: "a service that does not answer",
    issue: "network",
    before: "network",
    properties: python(
      "ConnectionError",
      "HTTPSConnectionPool(host='api.acme.test', port=443): Max retries exceeded with url: /v2/carts/8812 (Caused by NewConnectionError)",
      installed("requests.adapters", "send"),
    ),
  },
  {
    told: "the same of another cart",
    issue: "network",
    before: "network",
    properties: python(
      "ConnectionError",
      "HTTPSConnectionPool(host='api.acme.test', port=443): Max retries exceeded with url: /v2/carts/17 (Caused by NewConnectionError)",
      installed("requests.adapters", "send"),
    ),
  },
  {
    told: "another service",
    issue: "network-other",
    before: "network",
    properties: python(
      "ConnectionError",
      "HTTPSConnectionPool(host='mail.acme.test', port=443): Max retries exceeded with url: /send (Caused by NewConnectionError)",
      installed("requests.adapters", "send"),
    ),
  },
  {
    told: "a recursion that was stopped at a thousand",
    issue: "recursion",
    before: "recursion-1000",
    properties: python(
      "RecursionError",
      "maximum recursion depth exceeded",
      ...Array.from({ length: 1_000 }, () => frame("app.tree", "walk", 9)),
    ),
  },
  {
    told: "and one at two hundred",
    issue: "recursion",
    before: "recursion-200",
    properties: python(
      "RecursionError",
      "maximum recursion depth exceeded",
      ...Array.from({ length: 200 }, () => frame("app.tree", "walk", 9)),
    ),
  },
  { told: "a function without a name", issue: "lambda", properties: python("ValueError", "x", frame("app.views", "<lambda>", 4)) },
  {
    told: "a frame whose file is not known",
    issue: "fileless",
    properties: python("ValueError", "x", frame("app.jobs", "run", 4, { filename: null, abs_path: null })),
  },
  {
    told: "a message alone",
    issue: "message",
    before: "message-1",
    properties: sent(LIB, "TimeoutError", "no answer after 30.5s from worker-17", null),
  },
  {
    told: "another time and worker",
    issue: "message",
    before: "message-2",
    properties: sent(LIB, "TimeoutError", "no answer after 31s from worker-4", null),
  },
  {
    told: "an object at an address",
    issue: "object",
    before: "object-1",
    properties: sent(LIB, "TypeError", "<Cart object at 0x7f3a9c1b2d40> is not iterable", null),
  },
  {
    told: "at another address",
    issue: "object",
    before: "object-2",
    properties: sent(LIB, "TypeError", "<Cart object at 0x7fcc00112233> is not iterable", null),
  },
];
