import { answerOrders } from "../../lib/core/thread.ts";

/** Says back what it is told, and goes on for ever where that is less than nothing. */
answerOrders((order: number): number => {
  let left = order;
  while (left < 0) left -= 1;
  return order;
});
