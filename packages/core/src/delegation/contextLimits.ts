/** What a context may hold at most. The chain has no such limits but its gas. */
export const contextLimits = { bytes: 131_072, links: 32, caveats: 64 } as const
