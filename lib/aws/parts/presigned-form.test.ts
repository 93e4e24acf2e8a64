import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { presignedForm } from "./presigned-form.ts";
import { presignedUrl } from "./presigned-url.ts";

const SIGNER = { region: "eu-west-1", credentials: { accessKeyId: "A", secretAccessKey: "B", sessionToken: "t" } };
const NOW = Date.UTC(2026, 2, 1, 12);
const TARGET = { url: "https://b.s3.eu-west-1.amazonaws.com/", bucket: "b", key: "symbols/1/x", most: 100 };

it("a form allows one key of one bucket and so many bytes, for so long", async () => {
  const { url, fields } = await presignedForm(TARGET, SIGNER, NOW, 900);
  const { Policy: policy = "", "X-Amz-Signature": signature, ...named } = fields;
  expect([url, named]).toEqual([
    TARGET.url,
    {
      key: TARGET.key,
      "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
      "X-Amz-Credential": "A/20260301/eu-west-1/s3/aws4_request",
      "X-Amz-Date": "20260301T120000Z",
      "X-Amz-Security-Token": "t",
    },
  ]);
  expect(JSON.parse(Buffer.from(policy, "base64").toString())).toEqual({
    expiration: "2026-03-01T12:15:00.000Z",
    conditions: [{ bucket: "b" }, ...Object.entries(named).map(([name, value]) => ({ [name]: value })), ["content-length-range", 1, 100]],
  });
  // Worked out step by step, as the store's documentation describes it.
  const key = ["20260301", "eu-west-1", "s3", "aws4_request"].reduce<string | Buffer>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    "AWS4B",
  );
  expect(signature).toBe(createHmac("sha256", key).update(policy).digest("hex"));
});

it("an address to put to says in its signature how many bytes", async () => {
  const place = new URL(`${TARGET.url}${TARGET.key}`);
  const signed = (bytes: number) => presignedUrl(place, SIGNER, NOW, 900, { method: "PUT", bytes });
  const url = new URL(await signed(5));
  expect(url.searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;host");
  expect(url.searchParams.get("X-Amz-Signature")).not.toBe(new URL(await signed(6)).searchParams.get("X-Amz-Signature"));
});
