/** How severe an issue can be, the least first. */
export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
