import { beforeEach, expect, it } from "vitest";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

const warnings = () => one.log.lines.filter(({ event }) => event === "property-never-seen");

const save = async (name: string, query: object) => expect((await one.call("POST", "", { name, query })).status).toBe(201);

beforeEach(async () => {
  one = await endpointWorld(objects, engine());
  const properties = { price: 5, plan: "team", $set: { email_domain: "example.org" } };
  await one.send([{ event: "buy", distinct_id: "ana", at: one.time.now, properties }]);
});

it("a saved query that names a property which no event had is saved, and the log says which, with the name that is nearest", async () => {
  await save("total", sqlQuery("SELECT properties.prise, person.properties.emial_domain, properties.plan FROM events"));
  expect(warnings()).toEqual([
    {
      level: "warn",
      event: "property-never-seen",
      fields: { project: 1, properties: "prise of event (did you mean price?), emial_domain of person (did you mean email_domain?)" },
    },
  ]);
});

it("so it does of a new version and of an insight, and names nothing for what is like nothing", async () => {
  await save("total", sqlQuery("SELECT sum(properties.price) FROM events"));
  await save("trend", {
    kind: "TrendsQuery",
    series: [{ kind: "EventsNode", event: "buy" }],
    breakdownFilter: { breakdowns: [{ property: "plam", type: "event" }] },
  });
  const query = sqlQuery("SELECT properties['utterly different'] FROM events");
  expect((await one.call("PATCH", "total/", { query })).status).toBe(200);
  expect(warnings().map(({ fields }) => Object(fields).properties)).toEqual([
    "plam of event (did you mean plan?)",
    "utterly different of event",
  ]);
});

it("says nothing of properties that events had, nor of a query that is refused", async () => {
  await save("fine", sqlQuery("SELECT properties.price, properties.plan, person.properties.email_domain FROM events"));
  const refused = await one.call("POST", "", { name: "not", query: sqlQuery("SELECT nosuch(properties.prise) FROM events") });
  expect(refused.status).toBe(400);
  expect(warnings()).toEqual([]);
});
