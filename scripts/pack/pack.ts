/** Packs every published package, into `build/tarballs`. `npm run build && npm run pack` */
import { join } from 'node:path'
import { repository } from './builtPackages.ts'
import { packPackages } from './packPackages.ts'

for (const [name, path] of packPackages(join(repository, 'build/tarballs'))) console.log(`${name}  ${path}`)
