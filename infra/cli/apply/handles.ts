import type { Key } from "../../../lib/ports/table.ts";
import { keyPart } from "../../../lib/table/key-part.ts";
import { partitionKey } from "../../../lib/table/partitions.ts";

export const HANDLE_KINDS = [
  "organization",
  "project",
  "role",
  "personal-key",
  "secret-key",
  "integration",
  "dashboard",
  "oauth-application",
] as const;
/** Where the document's own names are remembered: each names what it stands for, across all applies. */
export type HandleKind = (typeof HANDLE_KINDS)[number];

export const handleKey = (kind: HandleKind, ...parts: readonly string[]): Key => ({
  pk: partitionKey("handles", { kind }),
  sk: parts.map((part) => keyPart(part, "sk")).join("#"),
});
