import { synthesised } from "../../infra/templates.ts";
import { type Amounts, newBill, scaled, sum } from "./bill.ts";
import { type Measured, MONTH_HOURS } from "./loads.ts";

/** An idle queue is asked by so many pollers at once, each waiting 20 seconds for an answer: as the platform is reported to do it. */
const POLLERS = 5;
const POLLS_PER_HOUR = 180;
/** What a platform without users stores: its first organization, and a month of the sweep's log lines. */
const TABLE_GB = 0.001;
const OBJECT_GB = 0.001;

/** A month of the synthesised stage in which nobody sends anything: polling, alarms, schedules, logs, storage. */
export const idleMonth = async (idleHour: Amounts): Promise<Measured> => {
  const stage = await synthesised();
  const mappings = stage.of("AWS::Lambda::EventSourceMapping").length;
  // One that looks at two metrics costs as much as two.
  const alarms = stage
    .of("AWS::CloudWatch::Alarm")
    .reduce(
      (sum, { properties }) => sum + (properties.Metrics?.filter((each: { MetricStat?: unknown }) => each.MetricStat).length ?? 1),
      0,
    );
  await stage.discard();
  const month = newBill();
  const running = scaled(idleHour, MONTH_HOURS);
  month.add("queueRequests", mappings * POLLERS * POLLS_PER_HOUR * MONTH_HOURS);
  month.add("alarmMonths", alarms);
  month.add("tableGbMonths", TABLE_GB);
  month.add("objectGbMonths", OBJECT_GB);
  month.add("logGbMonths", running.functionLogGb ?? 0);
  return {
    title: "An idle month",
    how: `${mappings} queues polled by ${POLLERS} each, ${alarms} metrics of the template's alarms, and an hour of the schedules × ${MONTH_HOURS}`,
    amounts: sum(running, month.amounts()),
    processorMs: {},
  };
};
