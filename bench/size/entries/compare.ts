export { bardoRegistry, metamaskRegistry } from '@bardo/core/caveats'
export { comparePolicies, findWidenings } from '@bardo/core/delegation'
