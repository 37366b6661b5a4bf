/** Loaded before a program whose picture is taken: stops its clock. */
const at = Number(process.env['BARDO_PICTURE_AT'])
Date.now = () => at
