import type { World } from "../../../lib/app/world.ts";
import { standardError } from "../../../lib/http/errors.ts";

/** What answers a question of usage or spend has as long as a query has. Throws 400 for one that takes longer. */
export const inTime = async <T>({ config }: Pick<World, "config">, work: Promise<T>): Promise<T> => {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(tooSlow()), config.queryTimeMs);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
    // Whoever is late is heard by nobody.
    work.catch(() => undefined);
  }
};

/** 400 for what took too long. */
export const tooSlow = () =>
  standardError(
    400,
    "invalid_request",
    "usage_query_timeout",
    "This took too long. Ask for fewer days, projects or usage types, or for pages with `page_size`.",
  );
