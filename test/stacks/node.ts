import { type Frame, type Stack, sent } from "./stack.ts";

const LIB = "posthog-node";
const frame = (name: string, filename: string, lineno: number, in_app = true): Frame => ({
  platform: "node:javascript",
  filename,
  function: name,
  lineno,
  colno: 11,
  in_app,
});
const library = (name: string, filename: string): Frame => frame(name, filename, 7, false);
const node = (type: string, value: string, ...frames: readonly Frame[]): Stack["properties"] => sent(LIB, type, value, frames);
const EXPRESS = library("Layer.handle", "/app/node_modules/express/lib/router/layer.js");

export const NODE_STACKS: readonly Stack[] = [
  { told: "a handler", issue: "checkout", properties: node("CartError", "empty", EXPRESS, frame("checkout", "/app/src/cart.js", 10)) },
  {
    told: "other lines and words",
    issue: "checkout",
    properties: node("CartError", "gone", EXPRESS, frame("checkout", "/app/src/cart.js", 99)),
  },
  {
    told: "another file",
    issue: "checkout-elsewhere",
    properties: node("CartError", "empty", EXPRESS, frame("checkout", "/app/src/basket.js", 10)),
  },
  {
    told: "a folder of its release",
    issue: "released",
    before: "released-1",
    properties: node("CartError", "x", frame("pay", "/srv/shop/releases/20261101093000/src/pay.js", 3)),
  },
  {
    told: "the next release",
    issue: "released",
    before: "released-2",
    properties: node("CartError", "x", frame("pay", "/srv/shop/releases/20261108101500/src/pay.js", 3)),
  },
  {
    told: "libraries only, called by the first of all frames",
    issue: "pg",
    before: "libraries",
    properties: node(
      "Error",
      "x",
      library("emit", "node:events"),
      library("Client.query", "/app/node_modules/pg/lib/client.js"),
      library("Parser.parse", "/app/node_modules/pg-protocol/dist/parser.js"),
    ),
  },
  {
    told: "other libraries below the same first frame",
    issue: "redis",
    before: "libraries",
    properties: node("Error", "x", library("emit", "node:events"), library("Socket.onData", "/app/node_modules/redis/dist/socket.js")),
  },
  {
    told: "a package in its folder of one version",
    issue: "pnpm",
    before: "pnpm-1",
    properties: node("Error", "x", library("send", "/app/node_modules/.pnpm/send@0.18.0/node_modules/send/index.js")),
  },
  {
    told: "its next version",
    issue: "pnpm",
    before: "pnpm-2",
    properties: node("Error", "x", library("send", "/app/node_modules/.pnpm/send@0.19.1/node_modules/send/index.js")),
  },
  {
    told: "a host that does not answer",
    issue: "network-stripe",
    before: "network",
    properties: node(
      "Error",
      "request to https://api.stripe.test/v1/charges/ch_3Nk2Lq8fj2kd9s failed",
      library("onError", "/app/node_modules/node-fetch/lib/index.js"),
    ),
  },
  {
    told: "the same of another charge",
    issue: "network-stripe",
    before: "network",
    properties: node(
      "Error",
      "request to https://api.stripe.test/v1/charges/ch_9Zz1Aa0bb7cc2d failed",
      library("onError", "/app/node_modules/node-fetch/lib/index.js"),
    ),
  },
  {
    told: "another host, asked by the same library",
    issue: "network-mail",
    before: "network",
    properties: node(
      "Error",
      "request to https://mail.acme.test/send failed",
      library("onError", "/app/node_modules/node-fetch/lib/index.js"),
    ),
  },
  {
    told: "a name that nobody resolves",
    issue: "dns",
    before: "dns",
    properties: node("Error", "getaddrinfo ENOTFOUND db.acme.test", library("GetAddrInfoReqWrap.onlookup", "node:dns")),
  },
  {
    told: "another such name",
    issue: "dns-other",
    before: "dns",
    properties: node("Error", "getaddrinfo ENOTFOUND cache.acme.test", library("GetAddrInfoReqWrap.onlookup", "node:dns")),
  },
  {
    told: "a stack in two parts, with a line that separates them and is no call",
    issue: "parts",
    properties: node("Error", "x", { platform: "node:javascript", filename: "----------------" }, frame("worker", "/app/src/worker.js", 5)),
  },
  {
    told: "a native frame without a file",
    issue: "native",
    properties: node(
      "Error",
      "x",
      { platform: "node:javascript", function: "Array.forEach", in_app: false },
      frame("each", "/app/src/each.js", 5),
    ),
  },
];
