import { globSync } from 'node:fs'
import { matchesGlob, resolve } from 'node:path'
import { expect, it } from 'vitest'
import config from '../vitest.config.ts'

type Project = { test: { name: string; include: string[]; exclude?: string[] } }

const root = resolve(import.meta.dirname, '..')
const projects = (config as { test: { projects: Project[] } }).test.projects.map(({ test }) => test)

it('every file of tests is run by one project, and by no second one', () => {
  const files = globSync('{src,scripts,e2e,bench}/**/*.test.{ts,tsx}', { cwd: root })
  expect(files.length).toBeGreaterThan(200)
  const runBy = (file: string) =>
    projects
      .filter(
        ({ include, exclude = [] }) =>
          include.some((glob) => matchesGlob(file, glob)) && !exclude.some((glob) => matchesGlob(file, glob)),
      )
      .map(({ name }) => name)
  expect(files.filter((file) => runBy(file).length !== 1).map((file) => `${file}: ${runBy(file).join(', ')}`)).toEqual(
    [],
  )
})
