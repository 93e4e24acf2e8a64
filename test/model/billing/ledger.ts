import { greatest, total } from "./amounts.ts";
import { afterUse, type Campaign, type Claim, type CouponUse, newClaim, takeOff } from "./coupons.ts";
import { type CreditUse, type Grant, payFrom } from "./credit.ts";
import {
  activated,
  conversionsBetween,
  converted,
  deactivated,
  endOf,
  type Holdings,
  heldAt,
  isHeldIn,
  type ProductPlan,
  relinquished,
  switched,
  type Trial,
  tried,
  untried,
} from "./holdings.ts";
import { type Billed, type Line, lateLines } from "./late.ts";
import { closesAt, DAY_MS, dayAt, type Month, monthAt, shifted } from "./months.ts";
import { type GivenList, type Item, itemsOf, listAt, type PriceList } from "./price-lists.ts";
import { type Charge, charges, type DayCost, dayCosts } from "./rating.ts";
import { Refusal } from "./refusal.ts";

/** How many months back late use is still billed. */
const LOOK_BACK = 12;
/** Who does not pay for so long is overdue. */
const PAYABLE_MS = 14 * DAY_MS;
/** Less than this is not asked of somebody who holds nothing any more. */
const SMALLEST_LAST_BILL = 50n;

export interface Invoice {
  readonly month: Month;
  readonly state: "issued" | "overdue" | "paid" | "voided" | "uncollectible";
  readonly lines: readonly Line[];
  readonly coupons: readonly CouponUse[];
  readonly credits: readonly CreditUse[];
  readonly subtotal: bigint;
  readonly due: bigint;
  /** What was taken back beyond all that was used, given as credit. */
  readonly returned: bigint;
  readonly madeAt: number;
}

/** What may become of an invoice, and of which. */
const SETTLED: Readonly<
  Record<"pay" | "void" | "write_off", { readonly from: readonly Invoice["state"][]; readonly to: Invoice["state"] }>
> = {
  pay: { from: ["issued", "overdue"], to: "paid" },
  void: { from: ["issued", "overdue", "uncollectible"], to: "voided" },
  write_off: { from: ["overdue"], to: "uncollectible" },
};

const isUnpaid = ({ state }: Invoice): boolean => state === "issued" || state === "overdue";

/** A customer's books, kept by hand: told what happens in the order in which it happens, they say what has to be asked. */
export class Ledger {
  holdings: Holdings = { stretches: [], trials: [] };
  given: readonly GivenList[] = [];
  claims: readonly Claim[] = [];
  grants: readonly Grant[] = [];
  /** Made invoices, the oldest first. */
  invoices: readonly Invoice[] = [];
  /** Units by project, identifier and day: the last count. */
  readonly #counts = new Map<string, Map<number, Map<number, bigint>>>();
  /** Starts of months whose invoice is to be made. */
  readonly #open = new Set<number>();
  #now = Number.NEGATIVE_INFINITY;

  /** Lets time pass: trials that end become what they become. */
  pass(now: number): void {
    for (const trial of conversionsBetween(this.holdings, this.#now, now)) {
      this.#hold(converted(this.holdings, this.given, trial), trial.expiresAt);
    }
    this.#now = now;
  }

  /** A list that is the one given last makes no new version. */
  give(list: PriceList, from: number, replaces: GivenList["replaces"]): void {
    if (this.given.at(-1)?.list !== list) this.given = [...this.given, { list, from, replaces }];
  }

  activate(chosen: readonly ProductPlan[]): void {
    this.#hold(activated(this.holdings, this.given, chosen, this.#now), this.#now);
  }

  /** Ends products, at once or with the month. */
  deactivate(products: readonly string[], atEnd: boolean): void {
    const from = atEnd ? monthAt(this.#now).end : this.#now;
    const next = deactivated(this.holdings, this.given, products, this.#now, from);
    if (this.invoices.some(isUnpaid)) throw new Refusal("open_invoices_error");
    this.holdings = next;
  }

  switch(from: ProductPlan, to: ProductPlan): void {
    this.#hold(switched(this.holdings, this.given, from, to, this.#now), this.#now);
  }

  try(trial: Pick<Trial, "type" | "target">): void {
    this.holdings = tried(this.holdings, this.given, trial, this.#now);
  }

  cancelTrial(): void {
    this.holdings = untried(this.holdings, this.#now);
  }

  /** The units of a project on a day are so many, whatever was said before. */
  count(day: number, type: string, project: number, units: bigint): void {
    const days = this.#counts.get(type) ?? new Map<number, Map<number, bigint>>();
    this.#counts.set(type, days);
    days.set(day, (days.get(day) ?? new Map<number, bigint>()).set(project, units));
  }

  claim(campaign: Campaign): void {
    if (this.claims.some((claim) => claim.campaign.slug === campaign.slug)) throw new Refusal("coupon_already_claimed");
    this.claims = [...this.claims, newClaim(campaign, this.#now)];
  }

  credit(cents: bigint, expiresAt: number | null, isBought: boolean): void {
    this.grants = [...this.grants, { number: this.grants.length, isBought, madeAt: this.#now, expiresAt, left: cents }];
  }

  /**
   * Writes a payment down; forgives an invoice, so that credit and coupons that it used come back; or gives it up, and sells nothing any
   * more. False where an invoice of that month does not have that step.
   */
  settle(month: Month, step: keyof typeof SETTLED): boolean {
    const invoice = this.invoices.find((each) => each.month.start === month.start);
    const { from, to } = SETTLED[step];
    if (invoice === undefined || !from.includes(invoice.state)) return false;
    this.invoices = this.invoices.map((each) => (each === invoice ? { ...each, state: to } : each));
    if (step === "void") this.#use(invoice, -1n);
    if (step === "write_off") this.holdings = relinquished(this.holdings, this.#now);
    return true;
  }

  /** Makes the invoices that are due. */
  close(): void {
    for (;;) {
      const start = [...this.#open].sort((a, b) => a - b).find((each) => closesAt(monthAt(each)) <= this.#now);
      if (start === undefined) break;
      this.#closeMonth(monthAt(start));
    }
    this.invoices = this.invoices.map((each) =>
      each.state === "issued" && each.madeAt + PAYABLE_MS <= this.#now ? { ...each, state: "overdue" } : each,
    );
  }

  /** When the next invoice is made or the next trial ends. */
  nextDue(): number {
    const invoices = [...this.#open].map((start) => closesAt(monthAt(start)));
    const trials = this.holdings.trials.map(endOf).filter((end) => end > this.#now);
    return Math.min(...invoices, ...trials);
  }

  /** What is sold in a month. */
  items(month: Month): readonly Item[] {
    return itemsOf(listAt(this.given, month.start));
  }

  /** The cost of each day of a product; as it will be, where the month goes on. */
  days(month: Month, item: Item, units = this.unitsByDay(item.usageType, month)): readonly DayCost[] {
    return dayCosts(this.#foreseen(month), this.given, month, item, units, this.#now);
  }

  /** All units of a month by day. */
  unitsByDay(type: string | null, { start, end }: Month): ReadonlyMap<number, bigint> {
    const days = [...(this.#counts.get(type ?? "") ?? [])].filter(([day]) => day >= dayAt(start) && day < dayAt(end));
    return new Map(days.map(([day, projects]) => [day, total(projects.values())]));
  }

  unitsOf(type: string, day: number): ReadonlyMap<number, bigint> {
    return this.#counts.get(type)?.get(day) ?? new Map();
  }

  /** Trials that become subscriptions later in a month are known to. */
  #foreseen({ end }: Month): Holdings {
    return conversionsBetween(this.holdings, this.#now, end).reduce(
      (holdings, trial) => converted(holdings, this.given, trial),
      this.holdings,
    );
  }

  #hold(next: Holdings, at: number): void {
    if (next.stretches.some((each) => !this.holdings.stretches.includes(each))) this.#open.add(monthAt(at).start);
    this.holdings = next;
  }

  /** Takes what an invoice uses, once; less than once gives it back. */
  #use({ coupons, credits }: Pick<Invoice, "coupons" | "credits">, times: 1n | -1n): void {
    this.claims = this.claims.map((claim) => {
      const use = coupons.find(({ slug }) => slug === claim.campaign.slug);
      return use === undefined ? claim : afterUse(claim, use.cents * times);
    });
    this.grants = this.grants.map((grant) => {
      const use = credits.find(({ number }) => number === grant.number);
      return use === undefined ? grant : { ...grant, left: grant.left - use.cents * times };
    });
  }

  #closeMonth(month: Month): void {
    this.#open.delete(month.start);
    const isHeld = isHeldIn(this.holdings, month);
    const own = this.#charges(month).map((charge): Line => ({ ...charge, lateOf: null }));
    const lines = [...own, ...this.#late(month)];
    const claims = this.claims.filter(({ claimedAt }) => claimedAt < month.end);
    const coupons = takeOff(lines, claims, month.end - 1);
    const subtotal = total(lines.map(({ cents }) => cents));
    const rest = subtotal - total(coupons.map(({ cents }) => cents));
    const isDropped = !isHeld && subtotal >= 0n && subtotal < SMALLEST_LAST_BILL;
    const credits = isDropped ? [] : payFrom(this.grants, greatest(0n, rest), month.end);
    const due = greatest(0n, rest) - total(credits.map(({ cents }) => cents));
    const used = { coupons: isDropped ? [] : coupons, credits };
    const state = isDropped ? "voided" : due > 0n ? "issued" : "paid";
    const returned = greatest(0n, -rest);
    this.invoices = [
      ...this.invoices,
      { month, state, lines, ...used, subtotal, due: isDropped ? subtotal : due, returned, madeAt: this.#now },
    ];
    this.#use(used, 1n);
    if (returned > 0n) this.credit(returned, null, false);
    const next = shifted(month.start, 1);
    // Who holds nothing any more gets one more, for what comes late.
    if (isHeld || isHeldIn(this.holdings, next)) this.#open.add(next.start);
  }

  #charges(month: Month): readonly Charge[] {
    return this.items(month).flatMap((item) => charges(item, this.days(month, item), month));
  }

  #late(month: Month): readonly Line[] {
    const oldest = shifted(month.start, -LOOK_BACK).start;
    const closed = this.invoices.map((invoice) => invoice.month).filter(({ start }) => start >= oldest && start < month.start);
    return closed.flatMap((each) => lateLines(each.start, this.#charges(each), this.#billed(each)));
  }

  #billed({ start }: Month): readonly Billed[] {
    return this.invoices.flatMap(({ month, state, lines }) =>
      lines.filter(({ lateOf }) => (lateOf ?? month.start) === start).map((line) => ({ line, isForgiven: state === "voided" })),
    );
  }

  /** Whether anything is held now. */
  get isSubscribed(): boolean {
    return heldAt(this.holdings, this.#now).length > 0;
  }
}
