import { expect, it } from "vitest";
import { hostedText, UNKNOWN_HOSTS } from "./hosts.ts";

it("each is shown the addresses under which it asks, whoever asked before", () => {
  const underHosts = hostedText();
  const text = JSON.stringify([UNKNOWN_HOSTS.baseUrl, UNKNOWN_HOSTS.ingestUrl]);
  const [one, other] = [
    { baseUrl: "http://one", ingestUrl: "http://in.one" },
    { baseUrl: "http://one", ingestUrl: "http://in.other" },
  ];
  for (const hosts of [one, one, other, one]) expect(JSON.parse(underHosts(text, hosts))).toEqual([hosts.baseUrl, hosts.ingestUrl]);
});
