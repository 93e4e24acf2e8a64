/** The amounts of an invoice that its total is made of, cents. */
export interface TotalParts {
  readonly subtotal_cents: number;
  readonly coupon_cents: number;
  readonly tax_cents: number;
  readonly returned_cents: number;
}

/** What an invoice comes to before credit, cents: never below zero, because what was taken back beyond all that was used is given as credit. */
export const invoiceTotal = ({ subtotal_cents, coupon_cents, tax_cents, returned_cents }: TotalParts): number =>
  subtotal_cents - coupon_cents + tax_cents + returned_cents;
