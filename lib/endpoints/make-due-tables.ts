import { faultText } from "../core/unreachable.ts";
import type { EnginePorts } from "../engine/engine.ts";
import type { Budget } from "../ports/system.ts";
import { refresh } from "./refresh.ts";
import { LONGEST_RUN_MS } from "./run-time.ts";
import { endTurn, type TableTurn, takeTurn } from "./table-lane.ts";

/** No turn is taken when less than the longest run and this is left. */
const AROUND_MS = 90_000;

/** Makes the tables whose turn it is, one after another, until there is none or the time is over. */
export const makeDueTables = async (world: EnginePorts, budget: Budget): Promise<void> => {
  while (budget.remainingMs() >= LONGEST_RUN_MS + AROUND_MS) {
    const turn = await takeTurn(world);
    if (turn === undefined) return;
    await makeInTurn(world, turn);
  }
};

/** What fails is kept with the version and due again by itself. */
const makeInTurn = async (world: EnginePorts, turn: TableTurn): Promise<void> => {
  try {
    await refresh(world, turn.place, turn.until);
  } catch (thrown) {
    world.log.line("error", "table_failed", { project: turn.place.project, error: faultText(thrown) });
  } finally {
    await endTurn(world, turn);
  }
};
