import { describe, expect, it } from "vitest";
import { Defect } from "../../lib/core/unreachable.ts";
import { TableUnavailable } from "../../lib/ports/table.ts";
import { askingAws } from "./aws-problem.ts";

/** As the clients of AWS throw: what was answered stands beside the message, and nothing where nobody answered. */
const refused = (name: string, message: string, httpStatusCode?: number) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode, attempts: 3 } });

const told = async (thrown: unknown): Promise<unknown> => askingAws(() => Promise.reject(thrown)).catch((problem: unknown) => problem);

describe("what AWS refuses", () => {
  it.each([
    ["without a region", new Error("Region is missing"), "set AWS_REGION"],
    ["nobody in particular", Object.assign(new Error("Could not load"), { name: "CredentialsProviderError" }), "No AWS credentials"],
    ["somebody who signed in yesterday", refused("ExpiredTokenException", "The security token is expired", 400), "sign in again"],
    ["a machine whose clock is wrong", refused("InvalidSignatureException", "Signature expired: 1 is now earlier than 2", 400), "clock"],
    ["who may not", refused("AccessDeniedException", "not authorized to perform: dynamodb:Query", 400), "may not do this: not authorized"],
    ["who may not, and is told so by a status alone", refused("403", "UnknownError", 403), "may not do this: UnknownError"],
    ["too many at once", refused("ThrottlingException", "Rate exceeded", 400), "asks for patience (Rate exceeded)"],
    ["while it is away", refused("InternalServerError", "down", 500), "cannot be reached: down"],
    ["from too far", refused("Error", "getaddrinfo ENOTFOUND dynamodb"), "cannot be reached: getaddrinfo"],
    [
      "by way of the table",
      new TableUnavailable("the table does not answer", { cause: refused("ThrottlingException", "Rate exceeded", 400) }),
      "asks for patience",
    ],
  ])("%s is told in a sentence that says what to do", async (_, thrown, sentence) => {
    expect(await told(thrown)).toMatchObject({ name: "UserError", message: expect.stringContaining(sentence), cause: thrown });
  });

  it.each([
    ["a fault of ours", new Defect("no such thing")],
    ["a request of ours that it does not understand", refused("ValidationException", "The key is empty", 400)],
    ["a text", "broken"],
  ])("stays what it is: %s", async (_, thrown) => {
    expect(await told(thrown)).toBe(thrown);
  });
});
