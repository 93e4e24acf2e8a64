import type { Key } from "../../../lib/ports/table.ts";
import { keyPart } from "../../../lib/table/key-part.ts";
import { partitionKey } from "../../../lib/table/partitions.ts";

/** Where the document's own names are remembered: each names what it stands for, across all applies. */
export type HandleKind =
  | "organization"
  | "project"
  | "role"
  | "personal-key"
  | "secret-key"
  | "integration"
  | "dashboard"
  | "oauth-application";

export const handleKey = (kind: HandleKind, ...parts: readonly string[]): Key => ({
  pk: partitionKey("handles", { kind }),
  sk: parts.map((part) => keyPart(part, "sk")).join("#"),
});
