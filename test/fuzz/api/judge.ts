import type * as z from "zod";
import type { DescribedOperation, Description } from "./description.ts";
import type { FuzzRequest } from "./request.ts";
import type { Answered } from "./send.ts";

/** What may be said to a method that a path does not have. */
const REFUSED_METHOD: ReadonlySet<number> = new Set([401, 403, 404, 405, 406, 429]);

/** What is wrong with an answer by what the description says of it; undefined where nothing is. */
export const faultOf = ({ operations, error }: Description, { operation, method }: FuzzRequest, answered: Answered): string | undefined => {
  const { status } = answered;
  if (status === 500) return "500";
  const own = operations.find(({ path, method: offered }) => path === operation.path && offered === (method === "HEAD" ? "GET" : method));
  if (own === undefined) return strayFault(operation.isCapture || operation.key === "secret" ? undefined : error, method, answered);
  const described = own.answer(status);
  if (described === undefined) return `${status} is not declared`;
  if (method === "HEAD" || (described.size === 0 && answered.body === "")) return undefined;
  const schema = described.get(answered.mediaType);
  if (schema === undefined) return `${status} with ${answered.mediaType || "no media type"} is not declared`;
  if (answered.mediaType !== "application/json" || isDeletion(own, answered)) return undefined;
  return misfit(schema, answered);
};

/** An update with `deleted: true` deletes and says so, which the description leaves to DELETE: no request that it describes is answered so. */
const isDeletion = ({ id }: DescribedOperation, { status, body }: Answered): boolean =>
  /^(update|replace)Endpoint$/.test(id) && status === 200 && body === '{"success":true}';

const strayFault = (error: z.ZodType | undefined, method: string, answered: Answered): string | undefined => {
  const { status } = answered;
  if (method === "OPTIONS" && (status === 200 || status === 204)) return undefined;
  if (error === undefined) return status < 500 ? undefined : `${status} to ${method}`;
  if (!REFUSED_METHOD.has(status)) return `${status} to a method that is not offered`;
  return answered.body === "" ? undefined : misfit(error, answered);
};

const misfit = (schema: z.ZodType, { status, body }: Answered): string | undefined => {
  const value = parsed(body);
  if (value === undefined) return `${status} with a body that is no JSON`;
  const { success, error } = schema.safeParse(value);
  if (success) return undefined;
  const [issue] = error.issues;
  return `${status} does not fit its schema at ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};
