import { openAws } from "../../lib/aws/aws.ts";
import { lambda } from "../../lib/lambda/http.ts";
import { sharedDashboards } from "./routes.ts";

// Nearly every call runs a query, so what runs it is loaded while the function starts.
await import("./run-tile.ts");

export const handler = lambda(sharedDashboards, () => openAws(sharedDashboards.uses));
