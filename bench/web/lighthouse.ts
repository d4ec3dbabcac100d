import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBrowser } from '../../scripts/web/browser.ts'

const wanted = join(import.meta.dirname, 'lighthouse')
const folder = join(import.meta.dirname, '../../node_modules/.cache/lighthouse')
const command = join(folder, 'node_modules/lighthouse/cli/index.js')

/** Installs Lighthouse from its own lockfile on the first run: it is 176 MB, and only this bench needs it. */
export const prepareLighthouse = (): void => {
  const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
  if (existsSync(command) && lock(folder) === lock(wanted)) return
  console.error('Installing Lighthouse for this bench (once) ...')
  mkdirSync(folder, { recursive: true })
  cpSync(wanted, folder, { recursive: true })
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-engine-strict', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('Lighthouse could not be installed.')
}

type Audit = {
  id: string
  title: string
  score: number | null
  numericValue?: number
  details?: { items?: { url: string; resourceType?: string; transferSize?: number }[] }
}
type Category = { score: number | null; auditRefs: { id: string; weight: number }[] }
type Report = { categories: Record<string, Category>; audits: Record<string, Audit> }

export type Seen = {
  performance: number
  accessibility: number
  seo: number
  lcpSeconds: number
  files: { url: string; type: string }[]
  /** Titles of the audits that cost points. */
  findings: string[]
}

/** A failed run has the whole report on its output: only what went wrong is worth reading. */
const whatWentWrong = ({ stderr, message }: { stderr?: string; message: string }): string =>
  stderr?.trim() || message.split('\n', 1)[0] || 'no reason given'

const report = async (url: string): Promise<Report> => {
  const { path, args, env } = await findBrowser()
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      command,
      url,
      '--quiet',
      '--output=json',
      '--only-categories=performance,accessibility,seo',
      `--chrome-flags=--headless=new ${args.join(' ')}`,
    ],
    { maxBuffer: 1 << 28, env: { ...env, CHROME_PATH: path } },
  )
  return JSON.parse(stdout) as Report
}

/** Chromium now and then loses the beginning of its trace (NO_NAVSTART); a page is given up when that happens twice. */
const reportAgain = (url: string): Promise<Report> =>
  report(url).catch((error) => {
    console.error(`Lighthouse failed on ${url}, once more: ${whatWentWrong(error)}`)
    return report(url).catch((second) => Promise.reject(new Error(`Lighthouse on ${url}: ${whatWentWrong(second)}`)))
  })

/** One look by Lighthouse at an address, as a phone on a slow line sees it (its own mobile preset). */
export const look = async (url: string): Promise<Seen> => {
  const { categories, audits } = await reportAgain(url)
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const findings = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id]
      return audit && weight > 0 && audit.score !== null && audit.score < 0.9 ? [`${id}: ${audit.title}`] : []
    }),
  )
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    seo: score('seo'),
    lcpSeconds: (audits['largest-contentful-paint']?.numericValue ?? 0) / 1000,
    files: (audits['network-requests']?.details?.items ?? []).map(({ url: file, resourceType = '' }) => ({
      url: file,
      type: resourceType,
    })),
    findings,
  }
}
