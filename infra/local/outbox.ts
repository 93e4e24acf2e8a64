import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Letter, Mail } from "../../lib/ports/mail.ts";
import type { Clock, Ids } from "../../lib/ports/system.ts";

/** Where a data directory keeps the letters that a deployed platform would send. */
export const outboxFolder = (dataDir: string): string => join(dataDir, "outbox");

/** Letters as files to be read by a person, named in the order in which they were sent. */
export const outbox = (folder: string, clock: Clock, ids: Ids): Mail => ({
  async send(letter) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${new Date(clock.now()).toISOString().replace(/[:.]/g, "-")}-${ids.ulid()}.txt`;
    const unfinished = join(folder, `.${name}`);
    await writeFile(unfinished, letterText(letter), { mode: 0o600 });
    await rename(unfinished, join(folder, name));
  },
});

const letterText = ({ to, subject, text }: Letter): string => `To: ${to.join(", ")}\nSubject: ${subject}\n\n${text}\n`;
