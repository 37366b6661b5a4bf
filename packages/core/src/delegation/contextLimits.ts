/** The limits of a permission context. On chain only gas limits it. */
export const contextLimits = { bytes: 131_072, links: 32, caveats: 64 } as const
