/** The queue of ticks in pg-boss. */
export const tickQueue = 'tick'

/** pg-boss's own schema. */
export const jobSchema = 'bardo_jobs'

/** Where it keeps the jobs. */
export const jobTable = `${jobSchema}.job`
