import { expect, it } from "vitest";
import { redirectAddressProblem } from "./redirect-address.ts";

it.each([
  "https://app.example.com/callback",
  "https://app.example.com",
  "https://app.example.com:8443/cb?from=oauth&x=*",
  "https://münchen.example/cb",
  "https://192.0.2.7/cb",
  "http://localhost:8080/cb",
  "http://127.0.0.1/cb",
  "http://[::1]:9000/cb",
  "com.example.app:/callback",
  "com.example.app://callback",
  "HTTPS://APP.EXAMPLE.COM/cb",
])("leads back: %s", (address) => {
  expect(redirectAddressProblem(address)).toBeNull();
});

it.each([
  ["javascript:alert(1)", "scheme"],
  ["JavaScript:alert(1)", "scheme"],
  ["data:text/html,x", "scheme"],
  ["vbscript:x", "scheme"],
  ["file:///etc/passwd", "scheme"],
  ["blob:https://app.example.com/1", "scheme"],
  ["ftp://app.example.com/", "scheme"],
  ["app:/callback", "scheme"],
  ["urn:ietf:wg:oauth:2.0:oob", "scheme"],
  ["http://app.example.com/cb", "expected https"],
  ["http://localhost.example.com/cb", "expected https"],
  ["http://127.0.0.1.example.com/cb", "expected https"],
  ["https://app.example.com/cb#", "fragment"],
  ["https://app.example.com/cb#part", "fragment"],
  ["com.example.app:/cb#part", "fragment"],
  ["https://*.example.com/cb", "wildcard"],
  ["https://%2a.example.com/cb", "wildcard"],
  ["com.example.app://*/cb", "wildcard"],
  ["https://ana@app.example.com/cb", "user"],
  ["https://app.example.com@evil.example/cb", "user"],
  ["/callback", "absolute"],
  ["//app.example.com/cb", "absolute"],
  ["https:app.example.com/cb", "absolute"],
  ["https:///app.example.com/cb", "absolute"],
  ["https://", "absolute"],
  ["https://app.example.com\\@evil.example/cb", "absolute"],
  ["https://app.example.com/a b", "absolute"],
  ["java\nscript:alert(1)", "absolute"],
  [" https://app.example.com/cb", "absolute"],
  ["", "absolute"],
  [`https://app.example.com/${"x".repeat(2_000)}`, "at most 2000"],
])("does not lead back: %j", (address, why) => {
  expect(redirectAddressProblem(address)).toContain(why);
});
