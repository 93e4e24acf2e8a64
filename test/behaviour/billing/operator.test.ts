import { describe, expect, it } from "vitest";
import { code } from "../../../functions/code/routes.ts";
import { installLicense, removeLicense, showLicense } from "../../../infra/cli/billing/license.ts";
import { listOverdue, showBilling } from "../../../infra/cli/billing/show.ts";
import { approveStartup, listStartups, refuseStartup } from "../../../infra/cli/billing/startups.ts";
import { payInvoice } from "../../../infra/cli/billing-command.ts";
import type { Answer, Run } from "../../../infra/cli/command.ts";
import { giveCredit } from "../../../lib/billing/credit.ts";
import { removeOrganization } from "../../../lib/organizations/removal.ts";
import { aStripe, SECRET_KEY } from "../../support/fakes/stripe.ts";
import { CARD } from "../../support/fakes/stripe-account.ts";
import { aHousehold, ask } from "../../support/worlds/api-world.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const stripe = aStripe();

type Customer = Awaited<ReturnType<typeof billingWorld>>;

/** A command of the operator's program on a customer's platform. */
const operate = (
  { world }: Customer,
  run: Run,
  flags: Readonly<Record<string, string>> = {},
  ...words: readonly string[]
): Promise<Answer> => run({ world, forgetKeys: () => undefined, close: async () => undefined }, { words, flags, switches: new Set() });

const told = async (...given: Parameters<typeof operate>): Promise<unknown> => (await operate(...given)).json;

describe("billing show and overdue", () => {
  it("tell what is owed and what of it is overdue, of one organization and of all", async () => {
    const customer = await billingWorld(day(7, 9));
    const { organization: other } = await aHousehold(customer.world, 2);
    await customer.post("activate/", { products: "product_analytics:" });
    await customer.use(day(7, 9), 3_250_000);
    await giveCredit(customer.world, other.id, { cents: 2_050, expires_at: null });
    customer.at(day(8, 8) + 1);
    await customer.close();
    const { id, name } = customer.organization;
    const owed = { owed_usd: "92.88", overdue_usd: "0.00", credit_usd: "0.00" };
    expect(await told(customer, showBilling)).toMatchObject({
      ...owed,
      credit_usd: "20.50",
      organizations: expect.arrayContaining([
        expect.objectContaining({ id, name, status: "paid", ...owed }),
        expect.objectContaining({ id: other.id, status: "free", owed_usd: "0.00", credit_usd: "20.50" }),
      ]),
    });
    const { lines } = await operate(customer, showBilling);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      4,
      expect.stringMatching(/^organization +name +account +owed +overdue +credit/),
      expect.stringMatching(/all +92\.88 +0\.00 +20\.50/),
    ]);
    expect(await told(customer, listOverdue)).toEqual({ overdue_usd: "0.00", overdue: [] });

    customer.at(day(8, 23));
    await customer.close();
    const overdue = { what: "invoice", state: "overdue", usd: "92.88" };
    expect(await told(customer, listOverdue)).toMatchObject({ overdue_usd: "92.88", overdue: [{ organization: id, name, ...overdue }] });
    expect(await told(customer, listOverdue, { organization: other.id })).toEqual({ overdue_usd: "0.00", overdue: [] });
    await removeOrganization(customer.world.table, other, day(8, 23));
    expect((await operate(customer, showBilling)).lines.join("\n")).toContain(`${other.name} (removed)`);
    const own = await operate(customer, showBilling, { organization: id });
    expect(own.json).toMatchObject({ owed_usd: "92.88", overdue_usd: "92.88", organizations: [{ id }] });
    expect(own.lines.join("\n")).toContain("It owes 92.88 dollars, 92.88 of them overdue");
    await expect(operate(customer, showBilling, { organization: "0190d0aa-0000-7000-8000-00000000000f" })).rejects.toThrow(
      "There is no organization",
    );
  });
});

describe("billing show, with what is owed beside invoices", () => {
  it("tells credit that waits for its price, as owed and then as overdue, until it is paid", async () => {
    const customer = await billingWorld(day(7, 9));
    const order = { annual_amount_usd: 100, discount_percent: 0, collection_method: "send_invoice" };
    expect(await customer.post("credits/purchase/", order)).toMatchObject({ json: { status: "pending" } });
    const of = { organization: customer.organization.id };
    const entry = { what: expect.stringMatching(/^owed for credit /), state: "open", usd: "100.00", since: "2026-07-09T00:00:00Z" };
    const shown = await told(customer, showBilling, of);
    expect(shown).toMatchObject({ owed_usd: "100.00", overdue_usd: "0.00", credit_usd: "0.00" });
    expect(shown).toMatchObject({ organizations: [{ entries: expect.arrayContaining([expect.objectContaining(entry)]) }] });
    customer.at(day(7, 23));
    const overdue = await told(customer, listOverdue);
    expect(overdue).toMatchObject({ overdue_usd: "100.00", overdue: [entry] });
    await operate(customer, payInvoice, of, Object(overdue).overdue[0].id);
    expect(await told(customer, showBilling, of)).toMatchObject({ owed_usd: "0.00", overdue_usd: "0.00", credit_usd: "100.00" });
  });

  it("tells each attempt to collect, and why it failed", async () => {
    const settings = { paymentProvider: "stripe", stripeUrl: stripe.place.url, stripeSecretKey: SECRET_KEY };
    const customer = await billingWorld(day(7, 9), settings);
    const { clientSecret } = Object((await customer.post("activate/authorize/", {})).json);
    Object.assign(stripe.intents.get(String(clientSecret).split("_secret_")[0] ?? "") ?? {}, {
      status: "requires_capture",
      payment_method: CARD,
    });
    await customer.post("activate/authorize/status/", { payment_intent_id: clientSecret });
    await customer.post("activate/", { products: "teams:" });
    stripe.state.isCardDeclined = true;
    customer.at(day(8, 8) + 1);
    await customer.close();
    const { organizations } = Object(await told(customer, showBilling, { organization: customer.organization.id }));
    const named = (state: string) => organizations[0].entries.find((entry: { readonly state: string }) => entry.state === state);
    const [invoice, payment] = [named("payment_failed"), named("failed")];
    expect(invoice).toMatchObject({ what: "invoice" });
    expect(payment).toMatchObject({
      what: `payment 1 of ${invoice.id}`,
      state: "failed",
      usd: invoice.usd,
      note: expect.stringMatching(/declined/),
    });
  });
});

describe("billing startups", () => {
  const applied = async (more: object = {}) => {
    const customer = await billingWorld(day(7, 9));
    const apply = () => customer.post("startups/apply/", { organization_id: customer.organization.id, ...more });
    expect(await apply()).toMatchObject({ status: 200 });
    return { customer, apply, of: { organization: customer.organization.id } };
  };
  const mayUseDesktop = async ({ world, key }: Customer) =>
    Object((await ask(code, world, "GET", "/api/code/invites/check-access/", { key })).json).has_access;

  it("lists who waits, of all and of one", async () => {
    const { customer, of } = await applied({ program: "YC", raised: "0" });
    const { organization: other } = await aHousehold(customer.world, 2);
    const waiting = [{ ...of, at: "2026-07-09T00:00:00.000Z", application: { program: "YC", raised: "0" } }];
    expect(await told(customer, listStartups)).toMatchObject(waiting);
    expect(await told(customer, listStartups, of, "list")).toMatchObject(waiting);
    expect(await told(customer, listStartups, { organization: other.id })).toEqual([]);
    await removeOrganization(customer.world.table, customer.organization, day(7, 9));
    expect(await told(customer, listStartups)).toEqual([]);
    await expect(operate(customer, listStartups, {}, "aprove")).rejects.toThrow('not "aprove"');
  });

  it.each([
    [{ program: "YC" }, {}, "YC"],
    [{ program: 7 }, {}, "startup"],
    [{ program: "YC" }, { label: "Seed" }, "Seed"],
  ])("approved, %j with %j is in the program as %s, and nothing waits any more", async (more, flags, label) => {
    const { customer, apply, of } = await applied(more);
    expect(await mayUseDesktop(customer)).toBe(true);
    expect(await told(customer, approveStartup, { ...of, ...flags })).toMatchObject({ label });
    expect(await customer.get("")).toMatchObject({ startup_program_label: label });
    expect(await mayUseDesktop(customer)).toBe(false);
    const decision = { startup_application: null, startup_decision: { at: "2026-07-09T00:00:00.000Z", label } };
    expect(await told(customer, showBilling, of)).toMatchObject({ organizations: [decision] });
    await expect(operate(customer, approveStartup, of)).rejects.toThrow("No application");
    expect(await apply()).toMatchObject({ status: 200 });
  });

  it("refused, it can apply again, and keeps the label that it had", async () => {
    const { customer, apply, of } = await applied();
    expect(await apply()).toMatchObject({ status: 400, json: { code: "already_applied" } });
    await operate(customer, refuseStartup, of);
    expect(await customer.get("")).toMatchObject({ startup_program_label: null });
    expect(await told(customer, showBilling, of)).toMatchObject({ organizations: [{ startup_decision: { label: null } }] });
    expect(await apply()).toMatchObject({ status: 200 });
    await operate(customer, approveStartup, of);
    await apply();
    await operate(customer, refuseStartup, of);
    expect(await customer.get("")).toMatchObject({ startup_program_label: "startup" });
    await expect(operate(customer, refuseStartup, of)).rejects.toThrow("No application");
  });
});

describe("license", () => {
  it("install, show and remove: the deployment's, which no organization's overview shows", async () => {
    const customer = await billingWorld(day(7, 9));
    expect(await told(customer, showLicense)).toBeNull();
    await expect(operate(customer, installLicense, {}, "none")).rejects.toThrow("<id>::<secret>");
    expect(await told(customer, installLicense, {}, "acme::secret")).toEqual({ id: "acme" });
    await expect(operate(customer, installLicense, {}, "other::secret")).rejects.toThrow("Remove it first");
    const shown = await operate(customer, showLicense);
    expect(shown.json).toMatchObject({ id: "acme", from: "installed" });
    expect(JSON.stringify(shown)).not.toContain("secret");
    expect(await customer.get("")).toMatchObject({ license: null });
    await operate(customer, removeLicense);
    await expect(operate(customer, removeLicense)).rejects.toThrow("No license is installed");
    const configured = await billingWorld(day(7, 9), { billingLicense: "set::secret" });
    expect(await told(configured, showLicense)).toMatchObject({ id: "set", from: "setting" });
  });

  it("remove: an organization's own, which can install another", async () => {
    const customer = await billingWorld(day(7, 9));
    const of = { organization: customer.organization.id };
    const install = (license: string) => customer.call("PATCH", "license/", { body: { license } });
    await expect(operate(customer, removeLicense, of)).rejects.toThrow("has installed no license");
    await install("one::secret");
    expect(await install("two::secret")).toMatchObject({ status: 403 });
    await operate(customer, removeLicense, of);
    expect(await customer.get("")).toMatchObject({ license: null });
    expect(await install("two::secret")).toMatchObject({ status: 200 });
  });

  it("of an earlier release, kept without its secret, is nobody's and gives way", async () => {
    const customer = await billingWorld(day(7, 9));
    const earlier = {
      entity: "billing-license",
      v: 1,
      key_id: "old",
      secret_hash: "x",
      secret: null,
      plan: "enterprise",
      installed_at: "x",
    };
    await customer.world.table.put({ pk: "license", sk: "license", ...earlier });
    expect(await customer.get("")).toMatchObject({ license: null });
    expect(await told(customer, showLicense)).toBeNull();
    expect(await told(customer, installLicense, {}, "acme::secret")).toEqual({ id: "acme" });
  });
});
