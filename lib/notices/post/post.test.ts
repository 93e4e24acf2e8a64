import { describe, expect, it } from "vitest";
import { aWebhookReceiver } from "../../../test/support/fakes/webhook-receiver.ts";
import { urlProblem } from "../allowed-url.ts";
import { isPublic, postJson } from "./post.ts";

describe("an address", () => {
  it.each(["93.184.215.14", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001:80b::200e"])(
    "of the internet is public: %s",
    (address) => expect(isPublic(address)).toBe(true),
  );
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "fc00::1",
    "fe80::1",
    "ff02::1",
    "2001::1",
    "2001:db8::1",
    "2002:a00:1::",
  ])("within a network is not: %s", (address) => expect(isPublic(address)).toBe(false));
});

describe("a name that leads to this machine", () => {
  it("is not called, whatever it is called itself", async () => {
    // The only names that are sure to lead here on every machine.
    for (const url of ["http://localhost.:9/", "http://ip6-localhost:9/"])
      await expect(postJson(new URL(url), "{}", {})).rejects.toThrow(
        /not one of the public internet|could not be reached: (ENOTFOUND|EAI_AGAIN)/,
      );
  });
});

describe("a receiver", () => {
  const receiver = aWebhookReceiver();
  it.each(["silence", "drip"] as const)("that answers with %s is not waited for", async (behaviour) => {
    receiver.behaviours.push(behaviour);
    await expect(postJson(new URL(receiver.state.url), "{}", {}, 100)).rejects.toThrow("It did not answer in time.");
  });
  it("that would talk otherwise has not received", async () => {
    receiver.behaviours.push("upgrade");
    await expect(postJson(new URL(receiver.state.url), "{}", {})).rejects.toThrow("It closed the connection without an answer.");
  });
  it("that answers with more headers than anybody needs is not read", async () => {
    receiver.behaviours.push("headers");
    await expect(postJson(new URL(receiver.state.url), "{}", {})).rejects.toThrow("It could not be reached: HPE_HEADER_OVERFLOW.");
  });
});

describe("an address to send to", () => {
  it("is one whose host the deployment names", () => {
    const allowed = ["hooks.acme.test", "*.example.test", "10.0.0.7", "localhost"];
    for (const url of [
      "https://hooks.acme.test",
      "https://HOOKS.acme.test:8443/in?a=1",
      "https://a.example.test/",
      "https://a.b.example.test/",
      "https://10.0.0.7/in",
      "http://localhost:9000/in",
    ])
      expect([url, urlProblem(url, allowed)]).toEqual([url, undefined]);
    for (const url of [
      "https://example.test/",
      "https://.example.test/",
      "http://10.0.0.7/",
      "https://127.0.0.1/",
      "https://hooks.acme.test./",
    ])
      expect([url, urlProblem(url, allowed)]).not.toEqual([url, undefined]);
  });
});
