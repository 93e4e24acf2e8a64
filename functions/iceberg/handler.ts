import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { iceberg } from "./group.ts";

export const handler = lambda(iceberg, () => openAws(iceberg.uses));
