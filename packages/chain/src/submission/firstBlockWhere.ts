/**
 * The first block in which a condition holds, found by binary search up to `height`, where it holds. Throws
 * if the node no longer has the state for the search.
 */
export async function firstBlockWhere(
  height: bigint,
  holdsAt: (blockNumber: bigint) => Promise<boolean>,
): Promise<bigint> {
  // First backwards in growing strides: it is usually recent, and many nodes keep only recent state.
  let after = height
  let before = -1n
  for (let stride = 1n; after - stride >= 0n; stride *= 2n) {
    if (!(await holdsAt(after - stride))) {
      before = after - stride
      break
    }
    after -= stride
  }
  while (after - before > 1n) {
    const middle = (after + before) / 2n
    if (await holdsAt(middle)) after = middle
    else before = middle
  }
  return after
}
