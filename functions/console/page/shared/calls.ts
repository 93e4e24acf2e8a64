import { get, getRows } from "../../calls/client.ts";
import { inTurn } from "../../calls/in-turn.ts";

/** The dashboard that a public link opens. Needs no key, like its tiles. */
export const dashboard = (token: string) => get("/shared/{token}", { params: { path: { token } } });

export const tile = (token: string, tile_id: string) =>
  inTurn(getRows("/shared/{token}/tiles/{tile_id}", { params: { path: { token, tile_id } } }));
