/**
 * All results, or the first failure. Unlike `Promise.all` it waits for every part before it fails, so that an operation
 * asks the owner for everything it needs at once.
 */
export async function gather<const Parts extends readonly Promise<unknown>[]>(
  parts: Parts,
): Promise<{ -readonly [At in keyof Parts]: Awaited<Parts[At]> }> {
  await Promise.allSettled(parts)
  return Promise.all(parts)
}
