import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { accessPage } from './access/table.ts'

// npm run docs:access: docs/access.md from the contracts; check-structure refuses a page that is out of date

writeFileSync(join(resolve(import.meta.dirname, '..'), 'docs', 'access.md'), accessPage())
console.log('Wrote docs/access.md.')
process.exit(0)
