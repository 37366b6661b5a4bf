/** Runs tasks one after another; each starts when the previous one has ended or failed. */
export function createTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return function inTurn<result>(task: () => Promise<result>): Promise<result> {
    const run = last.then(task, task)
    last = run.catch(() => undefined)
    return run
  }
}
