export { bardoRegistry, metamaskRegistry } from '@bardo/core/caveats'
export { buildTree, treeToJson, treeToText } from '@bardo/core/delegation'
