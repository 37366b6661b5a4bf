/** A queue of one: each task starts when the one before has ended, however it ended. */
export function createTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return function inTurn<result>(task: () => Promise<result>): Promise<result> {
    const run = last.then(task, task)
    last = run.catch(() => undefined)
    return run
  }
}
