/** How a wallet announces itself to pages (EIP-6963). */
export type WalletInfo = {
  readonly uuid: string
  readonly name: string
  readonly icon: `data:image/${string}`
  readonly rdns: string
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" rx="20" fill="#1c1b29"/><circle cx="48" cy="40" r="16" fill="none" stroke="#f2c14e" stroke-width="8"/><path d="M48 56v22m0-10h12" stroke="#f2c14e" stroke-width="8" fill="none"/></svg>`

/** A new identity for each wallet, so that a page can tell two of them apart. */
export function createWalletInfo(): WalletInfo {
  return {
    uuid: crypto.randomUUID(),
    name: 'Bardo owner wallet',
    icon: `data:image/svg+xml,${encodeURIComponent(icon)}`,
    rdns: 'dev.bardo.owner-wallet',
  }
}
