import type { Plugin } from 'vite'

const statement = /(import|export)\s*\{([^}]*)\}\s*from\s*'@tabler\/icons-react'/g

const oneByOne = (verb: string, names: string): string =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [from, to = from] = name.split(/\s+as\s+/)
      const file = `'@tabler/icons-react/dist/esm/icons/${from}.mjs'`
      return verb === 'import' ? `import ${to} from ${file}` : `export { default as ${to} } from ${file}`
    })
    .join('\n')

/** Takes each icon from its own file: the package's one index names 6,000 of them and costs a build seconds. */
export const iconFiles = (): Plugin => ({
  name: 'swath:icon-files',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('node_modules') || !/\.tsx?$/.test(id) || !code.includes('@tabler/icons-react')) return null
    return { code: code.replace(statement, (_, verb: string, names: string) => oneByOne(verb, names)), map: null }
  },
})
