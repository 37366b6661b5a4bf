import { BardoError } from '@bardo/core'

/** The answer to a prompt. Throws USER_REJECTED on Ctrl-C or Esc. */
export async function answered<Value>(asked: Promise<Value>): Promise<Exclude<Value, symbol>> {
  const answer = await asked
  if (isAnswer(answer)) return answer
  throw new BardoError('Cancelled. Nothing was done.', { code: 'USER_REJECTED' })
}

function isAnswer<Value>(answer: Value): answer is Exclude<Value, symbol> {
  return typeof answer !== 'symbol'
}
