/** The queue of ticks in pg-boss. */
export const tickQueue = 'tick'

/** pg-boss's own schema. */
export const jobSchema = 'bardo_jobs'

/** The table of its jobs. */
export const jobTable = `${jobSchema}.job`
