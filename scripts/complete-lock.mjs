// Completes package-lock.json after it was written on a machine whose registry lacks packages of other platforms: npm leaves such optional
// packages out of the lock and `npm ci` then refuses it ("Missing: ... from lock file"). Each missing one gets a stub with version, os and cpu,
// which is all npm needs to skip it here and to find it where it belongs. Run it after each change of dependencies.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const path = resolve(import.meta.dirname, '../package-lock.json')
const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

const message = (name) => name.replace(/^@[^/]+\//, '').split(/[-_.]/)
const systemOf = (name) =>
  systems.find((system) => message(name).includes(system)) ?? (message(name).includes('win') ? 'win32' : undefined)
const processorOf = (name) =>
  processors.find((processor) => message(name).includes(processor)) ??
  (message(name).includes('wasm') ? 'wasm32' : undefined)

/** The lock entry that a package at `place` would load `name` from, as Node looks it up. */
const find = (packages, place, name) => {
  for (let folder = place; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const key = `${folder ? `${folder}/` : ''}node_modules/${name}`
    if (packages[key]) return key
    if (!folder) return undefined
  }
}

const exact = (range) => /^(?:npm:.+@)?[\^~]?(\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?)$/.exec(range)?.[1]

/** Adds what is missing to a parsed lockfile; returns the names added. */
export const completeLock = (lock) => {
  const added = []
  const { packages } = lock
  for (const [place, entry] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      const system = systemOf(name)
      const processor = processorOf(name)
      const version = exact(range)
      if (find(packages, place, name) || !version || (!system && !processor)) continue
      packages[`node_modules/${name}`] = {
        version,
        ...(processor ? { cpu: [processor] } : {}),
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
        ...(system ? { os: [system] } : {}),
      }
      added.push(`${name}@${version}`)
    }
  }
  const [root, ...rest] = Object.entries(packages)
  lock.packages = Object.fromEntries([root, ...rest.sort(([a], [b]) => a.localeCompare(b, 'en'))])
  return added
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  const lock = JSON.parse(readFileSync(path, 'utf8'))
  const added = completeLock(lock)
  if (added.length > 0) writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(added.length === 0 ? 'package-lock.json is complete.' : `Added to package-lock.json: ${added.join(', ')}`)
}
