/**
 * A value as the engine's binding hands it over, free of the binding's classes: dates are days and times microseconds since
 * 1970, a struct keeps the order of its fields.
 */
export type Native =
  | null
  | boolean
  | number
  | bigint
  | string
  | { readonly days: number }
  | { readonly micros: bigint }
  | { readonly items: readonly Native[] }
  | { readonly fields: readonly (readonly [string, Native])[] }
  | { readonly entries: readonly (readonly [Native, Native])[] };

export type NativeRow = readonly Native[];
