import { BardoError } from '@bardo/core'

/** An answer, or the end: whoever presses Ctrl-C or Esc wants nothing done. */
export async function answered<Value>(asked: Promise<Value>): Promise<Exclude<Value, symbol>> {
  const answer = await asked
  if (isAnswer(answer)) return answer
  throw new BardoError('Nothing was done.', { code: 'USER_REJECTED' })
}

function isAnswer<Value>(answer: Value): answer is Exclude<Value, symbol> {
  return typeof answer !== 'symbol'
}
