/** The size of `@bardo/core` in a browser, checked against the limit. `npm run bench:size` */
import { limit, measureBundle } from './measureBundle.ts'

const entries = {
  hash: 'hash a delegation',
  typedData: 'typed data to sign',
  decode: 'decode a context',
  describe: 'describe delegations, all 46 caveats',
  compare: 'compare delegations, all 46 caveats',
  all: 'all five together',
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9)
const row = (name: string, minified: string, gzip: string) => `${name.padEnd(40)}${minified}${gzip}`

console.log(row('', ' minified', '     gzip'))
let all = { gzip: 0, parts: [] as readonly (readonly [string, number])[] }
for (const [entry, title] of Object.entries(entries)) {
  const bundle = await measureBundle(entry)
  console.log(row(title, kilobytes(bundle.minified), kilobytes(bundle.gzip)))
  all = bundle
}
const act = await measureBundle('act')
console.log(row('veto, redeem, decode reverts', kilobytes(act.minified), kilobytes(act.gzip)))
const mainIndex = await measureBundle('mainIndex')
console.log(row('the whole main index', kilobytes(mainIndex.minified), kilobytes(mainIndex.gzip)))

console.log('\nlargest parts of all five, before minifying:')
for (const [name, bytes] of all.parts.slice(0, 8)) console.log(`  ${name.padEnd(38)}${kilobytes(bytes)}`)

const share = ((100 * all.gzip) / mainIndex.gzip).toFixed(0)
console.log(
  `\nall five: ${kilobytes(all.gzip).trim()} of at most ${kilobytes(limit).trim()}; ${share} % of the main index`,
)
if (all.gzip > limit) {
  console.error(
    `The browser part of @bardo/core exceeds its limit by ${all.gzip - limit} bytes. Check the largest parts for a new import.`,
  )
  process.exitCode = 1
}
