import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { groups } from "../index.ts";
import { docs } from "./group.ts";

const group = docs(() => groups);

export const handler = lambda(group, () => openAws(group.uses));
