import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { openMail } from "./aws-mail.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A mail service that keeps its requests and gives one answer to all. */
const aService = async (status: number, answer: string) => {
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: unknown }[] = [];
  const listening = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(status).end(answer);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const credentials = { accessKeyId: "AKID", secretAccessKey: "secret", sessionToken: "session" };
  return { mail: openMail({ url, from: "platform@acme.test", region: "eu-west-1", credentials }), requests };
};

const LETTER = { to: ["ana@acme.test", "adam@acme.test"], subject: "Größe", text: "One line." };

test("a letter is one signed request", async () => {
  const { mail, requests } = await aService(200, '{"MessageId":"1"}');
  await mail.send(LETTER);
  expect(requests).toMatchObject([
    {
      path: "/v2/email/outbound-emails",
      body: {
        FromEmailAddress: "platform@acme.test",
        Destination: { ToAddresses: LETTER.to },
        Content: { Simple: { Subject: { Data: "Größe", Charset: "UTF-8" }, Body: { Text: { Data: "One line.", Charset: "UTF-8" } } } },
      },
    },
  ]);
  expect(requests[0]?.headers["x-amz-security-token"]).toBe("session");
  expect(requests[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/ses\/aws4_request, /);
});

test("a refusal is an error with its reason", async () => {
  const { mail } = await aService(400, "Email address is not verified.");
  await expect(mail.send(LETTER)).rejects.toThrow("400: Email address is not verified.");
});

test("a refusal names nobody whom the letter was for", async () => {
  const { mail } = await aService(400, '{"message":"Email address is not verified: ana@acme.test, Adam <adam@acme.test>"}');
  await expect(mail.send(LETTER)).rejects.toThrow(
    /the mail service answered 400: \{"message":"Email address is not verified: <address>, Adam <<address>>"\}/,
  );
});
