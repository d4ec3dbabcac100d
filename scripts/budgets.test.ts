import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { buildWeb } from './build-web.ts'

const run = promisify(execFile)

it('source maps are built, and none stands where files are served', async () => {
  await buildWeb({ ifStale: true })
  const web = join(import.meta.dirname, '../dist/web')
  expect(globSync('**/*.map', { cwd: web })).toEqual([])
  const scripts = globSync('assets/{admin,crew}/*.js', { cwd: web })
  expect(scripts.length).toBeGreaterThan(10)
  const maps = new Set(globSync('**/*.map', { cwd: join(web, '../maps') }))
  for (const script of scripts) {
    expect(maps.has(`${script}.map`), script).toBe(true)
    expect(readFileSync(join(web, script), 'utf8')).not.toContain('sourceMappingURL')
  }
}, 120_000)

it('what is loaded before anything is seen stays within its budgets', async () => {
  await buildWeb({ ifStale: true })
  const answer = await run(process.execPath, [join(import.meta.dirname, 'check-budgets.ts')]).catch((error) => error)
  expect(answer.stderr).toBe('')
  expect(answer.stdout).not.toMatch(/^OVER/m)
}, 120_000)

it('what only a tour or support needs is in nobody else’s first files, nor in those of a screen', async () => {
  await buildWeb({ ifStale: true })
  type Chunk = { file: string; isEntry?: boolean; imports?: string[] }
  const apart = {
    admin: ['../src/app/startTour.ts', '../src/app/startSupport.ts'],
    crew: ['../src/app/startTour.ts', '../src/features/crewapp/web/played.ts'],
  }
  for (const [build, sources] of Object.entries(apart)) {
    const file = join(import.meta.dirname, `../dist/web/manifest.${build}.json`)
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Chunk>
    const kept = readFileSync(join(import.meta.dirname, '../dist/web/sw.js'), 'utf8')
    const withImports = (key: string): string[] => [key, ...(manifest[key]?.imports ?? []).flatMap(withImports)]
    const others = Object.keys(manifest).filter((key) => manifest[key]?.isEntry || /(Screen|Tab)\.tsx$/.test(key))
    for (const source of sources) {
      expect(manifest[source], `${source} has a file of its own in ${build}`).toBeDefined()
      expect(others.filter((key) => withImports(key).includes(source))).toEqual([])
      expect(kept).not.toContain(manifest[source]?.file)
    }
  }
}, 120_000)
