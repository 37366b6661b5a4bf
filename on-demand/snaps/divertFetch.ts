/**
 * Loaded before everything else (`--import`), in the test and in the thread of each Snap. A Snap calls
 * MetaMask's services by name: here every request to another machine goes to the test's loopback server
 * instead.
 */
const realFetch = globalThis.fetch

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (url.hostname === '127.0.0.1') return realFetch(input, init)
  const services = process.env['BARDO_SNAP_SERVICES']
  if (!services) return Promise.reject(new TypeError(`No test service for ${url.host}.`))
  return realFetch(`${services}/${url.host}${url.pathname}${url.search}`, init)
}
