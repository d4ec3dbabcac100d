import { globSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where the source maps of a build stand: beside its folder, never in it, so that no server gives them out. */
export const mapsOf = (outDir: string): string => join(dirname(outDir), 'maps')

/** Takes the source maps out of a build. */
export const takeMaps = (folder: string, into: string): void => {
  rmSync(into, { recursive: true, force: true })
  for (const map of globSync('**/*.map', { cwd: folder })) {
    mkdirSync(dirname(join(into, map)), { recursive: true })
    renameSync(join(folder, map), join(into, map))
  }
}
