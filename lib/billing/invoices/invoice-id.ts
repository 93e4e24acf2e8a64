/** The id of the invoice of an organization's period, which begins at a moment (milliseconds since 1970). */
export const invoiceId = (organization_id: string, start: number | string): string => `in_${organization_id.replaceAll("-", "")}_${start}`;
