import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

type Wire = {
  method: string
  path: string
  access: string | string[]
  permission?: string | string[]
  needsSubscription?: boolean
}

const isTable = (value: unknown): value is Record<string, Wire> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).length > 0 &&
  Object.values(value).every(
    (e) => typeof (e as Wire | null)?.method === 'string' && typeof (e as Wire).path === 'string',
  )

/**
 * The browser needs of an endpoint only its method, its path, who may call it and whether that takes a plan; zod would cost the crew entry a fifth of its budget.
 * So in a build a `contract.ts` is read here and its tables become literals. Its schemas stay reachable for forms: only what imports one carries zod.
 */
export const contractTables = (): Plugin => ({
  name: 'swath:contract-tables',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!source.endsWith('contract.ts?schemas')) return null
    const found = await this.resolve(source, importer, { skipSelf: true })
    // Making a schema changes nothing but itself: who imports none of them carries none.
    return found && { ...found, moduleSideEffects: false }
  },
  async load(id) {
    if (!id.endsWith('/contract.ts') || id.includes('node_modules')) return null
    const contract = (await import(pathToFileURL(id).href)) as Record<string, unknown>
    const lines = Object.entries(contract).map(([name, value]) => {
      if (!isTable(value)) return `export { ${name} } from './contract.ts?schemas'`
      const wire = Object.fromEntries(
        Object.entries(value).map(([key, { method, path, access, permission, needsSubscription }]) => [
          key,
          { method, path, access, permission, needsSubscription },
        ]),
      )
      return `export const ${name} = ${JSON.stringify(wire)}`
    })
    return { code: lines.join('\n') || 'export {}', moduleSideEffects: false, moduleType: 'js' }
  },
})
