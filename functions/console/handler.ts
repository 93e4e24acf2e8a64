import { openAws } from "../../lib/aws/aws.ts";
import { storedConsole } from "../../lib/console/files.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { consoleGroup } from "./group.ts";

const group = consoleGroup(storedConsole);

export const handler = lambda(group, () => openAws(group.uses));
