import { BroadcastChannel } from "node:worker_threads";
import type { InvocableName, Invocations } from "../../../lib/ports/invocations.ts";

/** All threads of this process hear what is called here; other processes do not, and the sweep makes up for their calls. */
const CHANNEL = "invocations";

interface Call {
  readonly dataDir: string;
  readonly name: InvocableName;
}

/** Starts functions of the platform of a data directory, where it runs in this process. */
export const localInvocations = (dataDir: string): Invocations => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  return {
    async start(name) {
      channel.postMessage({ dataDir, name } satisfies Call);
      return true;
    },
  };
};

/** Hears the calls for the platform of a data directory, until the channel is closed. */
export const hearInvocations = (dataDir: string, start: (name: InvocableName) => void): Pick<BroadcastChannel, "close"> => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  // Only `localInvocations` sends here.
  channel.onmessage = ({ data }: { readonly data: Call }) => {
    if (data.dataDir === dataDir) start(data.name);
  };
  return channel;
};
