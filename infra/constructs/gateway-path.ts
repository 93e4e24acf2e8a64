const PLAIN_PART = /^[a-zA-Z0-9._:$-]+$/;

/**
 * The gateway's resource for a declared path: without the last slash, and with one name for each depth in place of every hole and
 * of every part that the gateway does not take (such as `@me`), because it allows one name for a place. Our router reads the path itself.
 */
export const gatewayPath = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "")
    .map((part, depth) => (PLAIN_PART.test(part) ? part : `{p${depth}}`))
    .join("/");
