import type { Config } from "./config.ts";
import type { Counts } from "./counts.ts";
import type { Invocations } from "./invocations.ts";
import type { Mail } from "./mail.ts";
import type { Model } from "./model.ts";
import type { Objects } from "./objects.ts";
import type { DeadLetters, QueueDepths, Queues } from "./queues.ts";
import type { Clock, Dns, Ids, Log } from "./system.ts";
import type { Table } from "./table.ts";
import type { TokenKeys } from "./token-keys.ts";

/** The ports that every floor above may be handed. What is built on the lake and the language is added by `World`. */
export interface Ports {
  readonly table: Table;
  readonly queues: Queues;
  readonly queueDepths: QueueDepths;
  readonly deadLetters: DeadLetters;
  readonly invocations: Invocations;
  readonly objects: Objects;
  readonly counts: Counts;
  readonly mail: Mail;
  readonly model: Model;
  readonly tokenKeys: TokenKeys;
  readonly clock: Clock;
  readonly dns: Dns;
  readonly ids: Ids;
  readonly log: Log;
  readonly config: Config;
}
