/**
 * React draws for its own developers unless it is told not to, at twice the work for every frame. It looks once, when it is
 * loaded: this has to be loaded before it.
 */
process.env['NODE_ENV'] ??= 'production'
