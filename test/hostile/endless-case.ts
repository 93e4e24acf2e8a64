import { answerOrders } from "../../lib/core/thread.ts";

/** Says back what it is told; fails where that is nothing, and goes on for ever where it is less. */
answerOrders((order: number): number => {
  if (order === 0) throw new RangeError("nothing");
  let left = order;
  while (left < 0) left -= 1;
  return order;
});
