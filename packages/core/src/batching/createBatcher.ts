/** Options of {@link createBatcher}. */
export type BatcherOptions<Question> = {
  /** The largest batch, in units of `sizeOf`. A larger question is sent in its own batch. */
  readonly most: number
  /** The size of a question. Default: 1. */
  sizeOf?(question: Question): number
  /** Awaited before each batch starts, so that concurrent callers share the batch. */
  pause?(): Promise<unknown>
}

type Waiting<Question, Answer> = {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines single questions into batches: while one batch is in flight, new questions wait for the next one.
 * A question is never answered from a batch that started before it. If a batch throws, every caller in it
 * gets the error.
 *
 * @param answerAll - returns the answers in the order of the questions
 * @example
 * const find = createBatcher((ids: readonly Hash[]) => store.golemStates.findAll(ids), { most: 500 })
 * const [first, second] = await Promise.all([find(a), find(b)])
 */
export function createBatcher<Question, Answer>(
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { most, sizeOf = () => 1, pause = async () => {} }: BatcherOptions<Question>,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = []
  let isUnderWay = false

  async function work(): Promise<void> {
    isUnderWay = true
    while (waiting.length > 0) {
      await pause()
      await answer(takeBatch())
    }
    isUnderWay = false
  }

  function takeBatch(): readonly Waiting<Question, Answer>[] {
    let room = most
    const end = waiting.findIndex(({ question }, index) => {
      room -= sizeOf(question)
      return room < 0 && index > 0
    })
    const batch = end < 0 ? waiting : waiting.slice(0, end)
    waiting = waiting.slice(batch.length)
    return batch
  }

  async function answer(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await answerAll(batch.map(({ question }) => question))
      if (answers.length !== batch.length)
        throw new RangeError(`The batch has ${batch.length} questions but ${answers.length} answers.`)
      for (const [index, result] of answers.entries()) batch[index]?.resolve(result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (!isUnderWay) void work()
    })
}
