/**
 * Selects React's production build: the development build does twice the work for every frame. React reads the variable once,
 * when it is imported, so import this module first.
 */
process.env['NODE_ENV'] ??= 'production'
