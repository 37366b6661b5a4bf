/** How questions are gathered. */
export type GatheringOptions<Question> = {
  /** How much one batch holds, in the sizes of its questions. A question beyond that is a batch of its own. */
  readonly most: number
  /** 1 unless told otherwise. */
  sizeOf?(question: Question): number
  /** Waited for before a batch begins, so that those who ask at the same moment are in it. */
  pause?(): Promise<unknown>
}

type Waiting<Question, Answer> = {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Asks for many at once what each asks alone: while one batch is under way, the questions that come in make the next.
 * No answer is older than its question. What a batch throws, all of it get.
 *
 * @param answerAll - the answers, in the order of the questions
 * @example
 * const find = createGathering((ids: readonly Hash[]) => store.lives.findAll(ids), { most: 500 })
 * const [first, second] = await Promise.all([find(a), find(b)])
 */
export function createGathering<Question, Answer>(
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { most, sizeOf = () => 1, pause = async () => {} }: GatheringOptions<Question>,
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
        throw new RangeError(`${answers.length} answers to ${batch.length} questions`)
      for (const [index, found] of answers.entries()) batch[index]?.resolve(found)
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
