import { openAws } from "../../lib/aws/aws.ts";
import { storedConsole } from "../../lib/console/files.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { sharedDashboardsGroup } from "./group.ts";

// Nearly every call runs a query, so what runs it is loaded while the function starts.
await import("./run-tile.ts");

const group = sharedDashboardsGroup(storedConsole);

export const handler = lambda(group, () => openAws(group.uses));
