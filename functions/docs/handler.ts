import { lambda } from "../../lib/http/lambda.ts";
import { openAws } from "../../lib/world/aws.ts";
import { groups } from "../index.ts";
import { docs } from "./group.ts";

const group = docs(() => groups);

export const handler = lambda(group, () => openAws(group.uses));
