import { expect, it } from "vitest";
import { presignedUrl } from "./presigned-url.ts";

it("an address is signed as the store's own documentation shows it", async () => {
  const url = await presignedUrl(
    new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
    {
      region: "us-east-1",
      credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
    },
    Date.UTC(2013, 4, 24),
    86_400,
  );
  expect(url).toBe(
    "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256" +
      "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
      "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
      "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
});

it("a session's token, an escaped path and a port are part of what is signed", async () => {
  const signer = { region: "eu-west-1", credentials: { accessKeyId: "A", secretAccessKey: "B", sessionToken: "a/b+=" } };
  const url = new URL(await presignedUrl(new URL("http://127.0.0.1:9000/b/a%20b%2Bc.csv"), signer, 0, 60));
  expect([url.host, url.pathname, url.searchParams.get("X-Amz-Security-Token")]).toEqual(["127.0.0.1:9000", "/b/a%20b%2Bc.csv", "a/b+="]);
  expect(url.search).toContain("a%2Fb%2B%3D");
  // Worked out with HMACs of `node:crypto`, step by step as the documentation describes it.
  expect(url.searchParams.get("X-Amz-Signature")).toBe("828a0d1fe66197b1fa540ebea2b91a8f292343ad4f95c11f6695c0f969815bb6");
});
