export * from '@bardo/core'
