import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Draws maps without a graphics card, slowly. */
const softwareGraphics = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
]

const packed = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']

type Start = { path: string; args: string[]; env: Record<string, string> }

const fontsFile = (home: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(home, 'fonts')}</dir>
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
</fontconfig>
`

/** The headless shell that a registry package carries, unpacked once for everything this person runs; a half unpacked one is never seen. */
const carriedBrowser = async (): Promise<Start> => {
  const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin')
  const { version } = createRequire(import.meta.url)(join(bin, '../package.json')) as { version: string }
  const home = join(tmpdir(), `swath-shell-${version}-${userInfo().uid}`)
  if (!existsSync(home)) {
    const { inflate } = await import('@sparticuz/chromium')
    const making = mkdtempSync(`${home}-`)
    const before = process.env.TMPDIR
    process.env.TMPDIR = making
    try {
      await Promise.all(packed.map((file) => inflate(join(bin, file))))
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
    // the package's own file names the folders of the machine that it was made for; without a font the shell ends at the first letter
    writeFileSync(join(making, 'fonts/fonts.conf'), fontsFile(home))
    try {
      renameSync(making, home)
    } catch (error) {
      rmSync(making, { recursive: true, force: true })
      if (!existsSync(home)) throw error
    }
  }
  return {
    path: join(home, 'chromium'),
    // the package's own arguments switch the browser's protection of origins off: none of them is taken
    args: [...quiet, '--no-zygote', '--font-render-hinting=none'],
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: [join(home, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_PATH: join(home, 'fonts'),
    },
  }
}

const installedBrowser = (): Start | undefined => {
  const path = process.env.SWATH_BROWSER ?? installed.find((one) => existsSync(one))
  return path ? { path, args: quiet, env: process.env as Record<string, string> } : undefined
}

/** How to start a whole browser, as people have one: what SWATH_BROWSER names, an installed Chrome or Chromium, else the carried headless shell. */
export const findBrowser = async (): Promise<Start> => installedBrowser() ?? carriedBrowser()

/**
 * Starts a browser for tests and pictures: what SWATH_BROWSER names, else on Linux the headless shell that a package carries (the same everywhere,
 * and a page costs it a fifth of what it costs a whole browser), else an installed one. Maps are drawn only with `maps`.
 */
export const launchBrowser = async ({ maps = false } = {}): Promise<Browser> => {
  const isCarried = process.platform === 'linux' && process.arch === 'x64' && !process.env.SWATH_BROWSER
  const { path, args, env } = isCarried ? await carriedBrowser() : await findBrowser()
  return chromium.launch({ executablePath: path, args: maps ? [...args, ...softwareGraphics] : args, env })
}
