/** Milliseconds that are left for a batch; asked for again and again, so that work ends before the platform ends it. */
export interface Budget {
  remainingMs(): number;
}
