/**
 * What the simulation leaves out because the product is known to fail it. Each is `true` once it is mended; then its line goes.
 */
export const MENDED = {
  /** What a dropped copy says of its person is still carried out, so copies of one event never differ in that. */
<<<<<<< HEAD
  personsOfDroppedCopies: true,
  /** A flagged event without uuid and time takes the receive time, so a retry of it is another row. */
  timeOfFlaggedRetries: true,
  /** `$set` beside the properties of a flagged event without uuid does not count for its identity. */
  topLevelSetInIdentity: true,
  /** Usage is not asked for again when its job was given up, so an operator puts jobs back, too. */
  usageOfFailedJobs: true,
=======
  personsOfDroppedCopies: true,
>>>>>>> fa14055 (Send in the simulation what the product is mended to take)
} as const;
