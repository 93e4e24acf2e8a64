import { expect, it } from "vitest";
import { presignedUrl } from "./presigned-url.ts";

it("an address is signed as the store's own documentation shows it", () => {
  const url = presignedUrl(
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

it("a session's token is part of what is signed", () => {
  const signer = { region: "eu-west-1", credentials: { accessKeyId: "A", secretAccessKey: "B", sessionToken: "a/b=" } };
  expect(presignedUrl(new URL("https://b.example/k"), signer, 0, 60)).toContain("&X-Amz-Security-Token=a%2Fb%3D&X-Amz-SignedHeaders=host&");
});
