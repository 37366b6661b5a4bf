/** Loaded before a program whose picture is taken: its time stands still. */
const at = Number(process.env['BARDO_PICTURE_AT'])
Date.now = () => at
