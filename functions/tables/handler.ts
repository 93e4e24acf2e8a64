import { openAws } from "../../lib/aws/aws.ts";
import { invocableHandler } from "../../lib/lambda/invocable.ts";
import { tables } from "./invocable.ts";

export const handler = invocableHandler(tables, () => openAws(tables.uses));
