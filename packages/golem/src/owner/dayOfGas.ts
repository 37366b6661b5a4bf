import { parseEther } from 'viem'

/** What a key is given for gas, to begin with and when it has run out: a day of it. Origin: DESIGN §5a. */
export const dayOfGas = parseEther('0.05')
