/**
 * The first block in which something is so, found by halving the chain up to `height`, where it is known to be. Throws
 * where the node no longer has the state that it takes to look.
 */
export async function firstBlockWhere(
  height: bigint,
  isSoAt: (blockNumber: bigint) => Promise<boolean>,
): Promise<bigint> {
  // Backwards in growing strides first: most often it is recent, and nodes keep recent state only.
  let after = height
  let before = -1n
  for (let stride = 1n; after - stride >= 0n; stride *= 2n) {
    if (!(await isSoAt(after - stride))) {
      before = after - stride
      break
    }
    after -= stride
  }
  while (after - before > 1n) {
    const middle = (after + before) / 2n
    if (await isSoAt(middle)) after = middle
    else before = middle
  }
  return after
}
