import type { Login } from "../../infra/local/clickhouse/server.ts";
import { type Client, type ClientOptions, openClient } from "../../lib/clickhouse/http/client.ts";
import { fixedSecret } from "../../lib/ports/secret.ts";

/** A client of a ClickHouse of a test's own. */
export const clientAs = (url: string, { user, password }: Login, more: Pick<ClientOptions, "graceMs"> = {}): Client =>
  openClient({ url, user, password: fixedSecret(password), ...more });
