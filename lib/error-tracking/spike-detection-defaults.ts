/** What holds for a project that has set nothing: ten times the baseline, at least 500 in five minutes, told once in ten. */
export const DEFAULT_SPIKE_DETECTION = Object.freeze({ snooze_duration_minutes: 10, multiplier: 10, threshold: 500 });
